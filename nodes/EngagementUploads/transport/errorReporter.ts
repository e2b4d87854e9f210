/** Turns failed requests into errors in the editor's terms, without the credential's secrets. */
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { serviceError, type ErrorReport } from './errors';
import { reportFailure, reportUnreadable, type FailedRequest } from './failureReports';
import { CREDENTIAL, type HttpOutcome, type ServiceContext } from './http';
import { extractServiceMessage } from './serviceMessage';
import { secretsOf } from './tokenRequest';

/** The request that an error is about. */
export interface RequestInfo {
	method: 'GET' | 'POST';
	/** Its purpose; completes “Could not …”. */
	purpose: string;
	itemIndex?: number;
}

/** The final outcome of a failed request, including an unreadable response. */
export type Failed = Omit<FailedRequest, 'outcome'> & { outcome: HttpOutcome };

export class ErrorReporter {
	constructor(
		private readonly context: ServiceContext,
		private readonly credential: ICredentialDataDecryptedObject,
	) {}

	/** The error for a failed request; `now` in epoch milliseconds. */
	async failure(request: RequestInfo, { outcome, ...failed }: Failed, now: number) {
		if ('unreadable' in outcome)
			return this.error(
				request,
				reportUnreadable(request.method, '', undefined, outcome.unreadable),
			);
		const serviceMessage = await this.serviceMessage('text' in outcome ? outcome.text : '');
		const { credential } = this;
		return this.error(
			request,
			reportFailure({ ...failed, outcome, serviceMessage, credential, now }),
		);
	}

	/** The error for a success status with an unusable body; `why` if the text does not show why. */
	async unreadable(request: RequestInfo, text: string, why?: string) {
		const serviceMessage = await this.serviceMessage(text);
		return this.error(request, reportUnreadable(request.method, text, serviceMessage, why));
	}

	private async serviceMessage(text: string): Promise<string | undefined> {
		return extractServiceMessage(text, await this.secrets());
	}

	/** The initial secrets, and those fetched since. */
	private async secrets(): Promise<string[]> {
		const credentials = [this.credential, await this.context.getCredentials(CREDENTIAL)];
		return credentials.flatMap(secretsOf);
	}

	private error(
		{ purpose, itemIndex }: RequestInfo,
		report: Omit<ErrorReport, 'purpose' | 'itemIndex'>,
	) {
		return serviceError(this.context.getNode(), { ...report, purpose, itemIndex });
	}
}

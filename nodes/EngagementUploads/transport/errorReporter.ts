/** Turns failed requests into errors in the words of the editor, without the credential's secrets. */
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { serviceError, type ErrorReport } from './errors';
import { reportFailure, reportUnreadable, type FailedRequest } from './failureReports';
import { CREDENTIAL, type HttpOutcome, type ServiceContext } from './http';
import { extractServiceMessage } from './serviceMessage';
import { secretsOf } from './tokenRequest';

/** The request that an error is about. */
export interface RequestInfo {
	method: 'GET' | 'POST';
	/** What it is for, as in “Could not …”. */
	purpose: string;
	itemIndex?: number;
}

/** A request that is not retried; its answer may also have been unreadable. */
export type Failed = Omit<FailedRequest, 'outcome'> & { outcome: HttpOutcome };

export class ErrorReporter {
	constructor(
		private readonly context: ServiceContext,
		private readonly credential: ICredentialDataDecryptedObject,
	) {}

	/** The error of a request that was not answered with success; `now` in epoch milliseconds. */
	async failure(request: RequestInfo, { outcome, ...failed }: Failed, now: number) {
		if ('unreadable' in outcome)
			return this.error(
				request,
				reportUnreadable(request.method, '', undefined, outcome.unreadable),
			);
		const said = await this.serviceMessage('text' in outcome ? outcome.text : '');
		const { credential } = this;
		return this.error(request, reportFailure({ ...failed, outcome, said, credential, now }));
	}

	/** The error of a success status whose answer is of no use; `why` where the text does not show it. */
	async unreadable(request: RequestInfo, text: string, why?: string) {
		const said = await this.serviceMessage(text);
		return this.error(request, reportUnreadable(request.method, text, said, why));
	}

	private async serviceMessage(text: string): Promise<string | undefined> {
		return extractServiceMessage(text, await this.secrets());
	}

	/** Those of the start, and those fetched since. */
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

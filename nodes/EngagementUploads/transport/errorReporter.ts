/** Tells what came of requests: errors in the words of the editor, without the credential's secrets. */
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { extractServiceMessage, serviceError, type Report } from './errors';
import { CREDENTIAL, type Exchange, type ServiceContext } from './http';
import { redact } from './redact';
import { outcomeReport, unreadableReport, type Ending } from './failureReports';
import { secretsOf } from './tokenRequest';

/** The request that is told of. */
export interface Told {
	method: 'GET' | 'POST';
	/** What it is for, as in “Could not …”. */
	purpose: string;
	itemIndex?: number;
}

/** How a request ended that is not tried again; what was unreadable counts too. */
export type Failed = Omit<Ending, 'outcome'> & { outcome: Exchange };

export class Telling {
	constructor(
		private readonly context: ServiceContext,
		private readonly credential: ICredentialDataDecryptedObject,
	) {}

	/** The error of a request that was not answered with success. */
	async failure(told: Told, { outcome, ...end }: Failed, now: number) {
		if ('unreadable' in outcome) {
			return this.error(told, unreadableReport(told.method, '', undefined, outcome.unreadable));
		}
		const said = await this.saying('text' in outcome ? outcome.text : '');
		const { credential } = this;
		return this.error(told, outcomeReport({ ...end, outcome, said, credential, now }));
	}

	/** The error of a success whose answer is none; `why` where the text does not show it. */
	async unreadable(told: Told, text: string, why?: string) {
		return this.error(told, unreadableReport(told.method, text, await this.saying(text), why));
	}

	/** A text of the service as it may be shown. */
	async shown(text: string): Promise<string> {
		return redact(text, await this.secrets());
	}

	private async saying(text: string): Promise<string | undefined> {
		return extractServiceMessage(text, await this.secrets());
	}

	/** Those that there were at the start, and those fetched since. */
	private async secrets(): Promise<string[]> {
		const credentials = [this.credential, await this.context.getCredentials(CREDENTIAL)];
		return credentials.flatMap(secretsOf);
	}

	private error({ purpose, itemIndex }: Told, report: Omit<Report, 'purpose' | 'itemIndex'>) {
		return serviceError(this.context.getNode(), { ...report, purpose, itemIndex });
	}
}

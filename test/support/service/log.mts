import { parseJson, type SimRequest } from './request.mts';

/** A request as received; times in epoch ms of the real clock. */
export interface RecordedRequest extends Omit<SimRequest, 'body'> {
	/** The parsed value if the body is JSON, else its text. */
	body: unknown;
	at: number;
	/** Absent while the request is in flight. */
	doneAt?: number;
	/** Absent if the connection ended without a response. */
	status?: number;
}

/** The requests received, and the maximum number in flight. */
export class RequestLog {
	readonly requests: RecordedRequest[] = [];
	mostAtOnce = 0;
	private inFlight = 0;

	/** With `record` false, requests are not kept: for measurements. */
	constructor(private readonly record: boolean) {}

	/** Records a request; call the returned function once, when the request is over. */
	begin(request: SimRequest): (status?: number) => void {
		this.inFlight += 1;
		this.mostAtOnce = Math.max(this.mostAtOnce, this.inFlight);
		const { body, ...rest } = request;
		const value = body === undefined ? undefined : (parseJson(body) ?? body);
		const entry: RecordedRequest = { ...rest, body: value, at: Date.now() };
		if (this.record) this.requests.push(entry);
		return (status) => {
			this.inFlight -= 1;
			entry.doneAt = Date.now();
			entry.status = status;
		};
	}

	clear(): void {
		this.requests.length = 0;
		this.mostAtOnce = this.inFlight;
	}
}

import type { SimRequest } from './request.mts';

/** A request as it came; times in epoch ms of the real clock. */
export interface RecordedRequest extends Omit<SimRequest, 'body'> {
	/** The value where the body is JSON, else its text. */
	body: unknown;
	at: number;
	/** Not there yet while the request is under way. */
	doneAt?: number;
	/** Not there where the connection ended without an answer. */
	status?: number;
}

function bodyValue(body: string | undefined): unknown {
	if (body === undefined) return undefined;
	try {
		return JSON.parse(body);
	} catch {
		return body;
	}
}

/** The requests that came, and how many were under way at once. */
export class RequestLog {
	readonly requests: RecordedRequest[] = [];
	mostAtOnce = 0;
	private underWay = 0;

	/** `record` false keeps no requests: for measurements. */
	constructor(private readonly record: boolean) {}

	/** Notes a request; the function it gives back is called, once, when the request is over. */
	begin(request: SimRequest): (status?: number) => void {
		this.underWay += 1;
		this.mostAtOnce = Math.max(this.mostAtOnce, this.underWay);
		const { body, ...rest } = request;
		const entry: RecordedRequest = { ...rest, body: bodyValue(body), at: Date.now() };
		if (this.record) this.requests.push(entry);
		return (status) => {
			this.underWay -= 1;
			entry.doneAt = Date.now();
			entry.status = status;
		};
	}

	clear(): void {
		this.requests.length = 0;
		this.mostAtOnce = this.underWay;
	}
}

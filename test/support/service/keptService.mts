import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { SimulatedService } from './http.mts';
import type { SimRequest } from './request.mts';
import { addSampleData } from './sample.mts';
import type { Outcome } from './service.mts';
import type { Settings } from './settings.mts';

/** The first line of the file. */
interface Header {
	/**
	 * The time for which the sample data was generated (epoch ms); the same time gives the same data.
	 */
	madeAt: number;
}

/** Every other line: a request that changed something. */
interface Change extends Pick<SimRequest, 'method' | 'url' | 'body'> {
	/** Epoch ms. */
	at: number;
}

/**
 * The simulated service with sample data that survives its process. Each request that changes
 * something is appended to a file before it is answered; a restart replays them, each at its
 * original time.
 */
export class KeptService extends SimulatedService {
	private isRestored = false;

	private constructor(
		private readonly file: string,
		settings: Partial<Settings>,
	) {
		super({ record: false, settings });
	}

	/** Starts the service with the contents of the file, or with new sample data if there is none. */
	static async start(
		file: string,
		port: number,
		settings: Partial<Settings> = {},
	): Promise<KeptService> {
		const service = new KeptService(file, settings);
		service.restore();
		await service.listen(port);
		return service;
	}

	override handle(request: SimRequest): Outcome {
		const { method, path, url, body } = request;
		const isChange = method === 'POST' && path !== this.settings.tokenPath;
		if (!this.isRestored || !isChange) return super.handle(request);
		const at = this.model.now;
		const outcome = this.model.doAt(at, () => super.handle(request));
		const change: Change = { at, method, url, body };
		if (outcome.response?.status === 200) appendFileSync(this.file, `${JSON.stringify(change)}\n`);
		return outcome;
	}

	private restore(): void {
		const [header, ...changes] = this.readLines();
		const { madeAt }: Header = header === undefined ? this.create() : JSON.parse(header);
		this.model.doAt(madeAt, () => addSampleData(this.model));
		for (const line of changes) {
			const { at, method, url, body }: Change = JSON.parse(line);
			const content: unknown = body === undefined ? undefined : JSON.parse(body);
			this.model.doAt(at, () => this.ask(method, url, content));
		}
		this.isRestored = true;
	}

	private create(): Header {
		const header: Header = { madeAt: Date.now() };
		writeFileSync(this.file, `${JSON.stringify(header)}\n`);
		return header;
	}

	/**
	 * The file's lines. An incomplete last line belongs to a request without a response, and is
	 * removed.
	 */
	private readLines(): string[] {
		if (!existsSync(this.file)) return [];
		const text = readFileSync(this.file, 'utf8');
		const complete = text.slice(0, text.lastIndexOf('\n') + 1);
		if (complete !== text) writeFileSync(this.file, complete);
		return complete.split('\n').slice(0, -1);
	}
}

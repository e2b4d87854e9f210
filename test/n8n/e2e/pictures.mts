import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The folder for the documents' pictures, such as `docs`; by default, they are discarded. */
const PICTURES_VARIABLE = 'ENGAGEMENT_UPLOADS_PICTURES';
const MAX_BYTES = 300_000;

/** The pictures that the tests of a file take for the documents. */
export class Pictures {
	private readonly temporary = mkdtempSync(path.join(os.tmpdir(), 'engagement-uploads-pictures-'));

	/** Takes a picture, which must be small enough for a document. */
	async take(
		name: string,
		picture: (file: string) => Promise<unknown>,
		maxBytes = MAX_BYTES,
	): Promise<void> {
		const file = path.resolve(process.env[PICTURES_VARIABLE] ?? this.temporary, name);
		mkdirSync(path.dirname(file), { recursive: true });
		await picture(file);
		expect(statSync(file).size).toBeLessThan(maxBytes);
	}

	close(): void {
		rmSync(this.temporary, { recursive: true });
	}
}

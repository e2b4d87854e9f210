import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { PICTURES } from '../browser/browser.mts';
import { template } from './setup.mts';

const MAX_BYTES = 300_000;

/** Takes a picture for a document, which must be small enough for it. */
export async function takePicture(
	name: string,
	picture: (file: string) => Promise<unknown>,
	maxBytes = MAX_BYTES,
): Promise<void> {
	const file = path.resolve(PICTURES ?? template().folder, name);
	mkdirSync(path.dirname(file), { recursive: true });
	await picture(file);
	expect(statSync(file).size).toBeLessThan(maxBytes);
}

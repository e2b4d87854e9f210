import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { digestOf, withDigest } from '../../support/pictures.mts';
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
	if (file.endsWith('.png')) writeFileSync(file, withDigest(readFileSync(file), digestOf(name)));
	expect(statSync(file).size).toBeLessThan(maxBytes);
}

/** The pictures of the documents show the present examples, and the present texts of the editor. */
import { readdirSync, readFileSync } from 'node:fs';
import { advising } from '../support/advice.mts';
import { digestOf, readDigest } from '../support/pictures.mts';

const files = readdirSync('docs', { recursive: true, encoding: 'utf8' });

it('no picture is older than what it shows', () => {
	const pictures = files.filter((file) => file.endsWith('.png'));
	const old = pictures.filter(
		(picture) => readDigest(readFileSync(`docs/${picture}`)) !== digestOf(picture),
	);
	expect(pictures.length).toBeGreaterThan(5);
	advising('Take them again (CONTRIBUTING.md)', () => expect(old).toEqual([]));
});

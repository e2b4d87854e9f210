/** `npm run names`: adds new public names to docs/public-names.txt. */
import { adviceOn, changesOf, readNames, writeNames } from './file.mts';
import { ownNames } from './publicNames.mts';

const names = ownNames();
const changes = changesOf(readNames(), names);
if (changes.isCompatible || process.argv.includes('--unreleased')) {
	writeNames(names);
	console.log(changes.lines.join('\n') || 'Nothing has changed.');
} else {
	console.error(adviceOn(changes));
	process.exitCode = 1;
}

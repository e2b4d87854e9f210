import { logged } from './logs.mts';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { passTimeFaster } from '../support/fastClock.mts';
import { secretsIn } from '../support/engine/secrets.mts';
import { cellsOf, playAll, type Played } from './cells.mts';
import { faults, redirects } from './faults.mts';
import { failuresDoc } from './failuresDoc.mts';
import { complaintsOf } from './verdict.mts';

jest.setTimeout(300_000);

// Most of the time is spent between attempts.
passTimeFaster(5);

const FILE = 'docs/failures.md';

let strangers = 0;
const stranger = createServer((socket) => {
	strangers += 1;
	socket.destroy();
});
let played: Played[];

beforeAll(async () => {
	await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}/`;
	played = await playAll(cellsOf([...faults, ...redirects(url)]));
});

afterAll(() => stranger.close());

it('holds in every cell', () => {
	const complaints = played.flatMap(complaintsOf);
	expect(complaints.slice(0, 60)).toEqual([]);
	expect(played.length).toBeGreaterThan(1000);
});

it('matches docs/failures.md', async () => {
	const doc = failuresDoc(played);
	if (process.env.FAILURES === 'write') await writeFile(FILE, doc);
	expect(await readFile(FILE, 'utf8')).toBe(doc);
});

it('shows no secret in a message, an item, a stack or a log', () => {
	const found = played.flatMap(({ seen }) => secretsIn(seen.shown, seen.secrets));
	expect(found).toEqual([]);
	const secrets = played.flatMap(({ seen }) => seen.secrets);
	expect(secretsIn(logged(), secrets, { hints: false })).toEqual([]);
	expect(logged()).toContain('finished');
});

it('sends nothing to another host', () => {
	expect(strangers).toBe(0);
});

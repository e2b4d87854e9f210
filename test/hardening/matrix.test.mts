/**
 * With a log of its own, which n8n opens when it is loaded.
 * @jest-environment node
 */
import { logged } from './logs.mts';
import { createServer, type AddressInfo } from 'node:net';
import { isLong } from '../support/long.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import { secretsIn } from '../support/engine/secrets.mts';
import { listCells, playAll, type Played } from './cells.mts';
import { faults, redirects } from './faults.mts';
import { listComplaints } from './verdict.mts';

jest.setTimeout(3_600_000);

useVirtualTime();

let strangers = 0;
const stranger = createServer((socket) => {
	strangers += 1;
	socket.destroy();
});
let played: Played[];
let shownSecrets: string[];

beforeAll(async () => {
	await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}/`;
	played = await playAll(listCells([...faults, ...redirects(url)]));
	shownSecrets = [
		...played.flatMap(({ seen }) => secretsIn(seen.shown, seen.secrets)),
		...secretsIn(
			logged(),
			played.flatMap(({ seen }) => seen.secrets),
		),
	];
});

afterAll(() => stranger.close());

const complaints = () => played.flatMap(listComplaints);

it('holds in every cell', () => {
	expect(complaints().slice(0, 60)).toEqual([]);
	expect(played.length).toBeGreaterThan(isLong ? 1500 : 500);
});

it('shows no secret in a message, an item, a stack or a log', () => {
	expect(shownSecrets).toEqual([]);
	expect(logged()).toContain('finished');
});

it('sends nothing to another host', () => {
	expect(strangers).toBe(0);
});

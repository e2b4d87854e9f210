/** Which uploads the refreshes of one engagement have started, whatever the order of events. */
import fc from 'fast-check';
import {
	RefreshedEngagement,
	type SentRefresh,
} from '../../nodes/EngagementUploads/actions/dataRefresh/engagement.ts';
import type { Upload } from '../../nodes/EngagementUploads/service/records.ts';

const fits = async ({ connectorName }: Upload, connector: string) =>
	connectorName === undefined || connectorName === connector;

const sent = (connector: string, isUnknown = false): Omit<SentRefresh, 'engagement'> => ({
	connector,
	isUnknown,
	options: { waitInterval: 1, waitTimeout: 1 },
});

/** All within one second, which dates cannot tell apart. */
const upload = (number: number | string, connectorName?: string): Upload => ({
	uploadId: `u${number}`,
	connectorName,
	creationDate: '2026-03-01T10:15:30',
});

const connectors = fc.constantFrom('a', 'b');
const refreshes = fc.array(
	fc.record({ connector: connectors, isListedLate: fc.boolean(), isLookedAt: fc.boolean() }),
	{ maxLength: 30 },
);

it('are new, of its connector, and of no other refresh', async () => {
	const property = fc.asyncProperty(fc.array(connectors), refreshes, async (before, steps) => {
		const listed = before.map((connector, number) => upload(`before ${number}`, connector));
		const engagement = new RefreshedEngagement(1, listed);
		const late: Upload[] = [];
		const all: SentRefresh[] = [];
		for (const [number, { connector, isListedLate, isLookedAt }] of steps.entries()) {
			all.push(engagement.addRefresh(sent(connector)));
			(isListedLate ? late : listed).push(upload(number, connector));
			if (isLookedAt) await engagement.addLook([...listed], fits);
		}
		await engagement.addLook([...listed, ...late], fits);
		const found = all.map((refresh) => refresh.upload?.uploadId);
		expect(found).not.toContain(undefined);
		expect(new Set(found).size).toBe(found.length);
		for (const refresh of all) {
			expect(refresh.upload?.connectorName).toBe(refresh.connector);
			expect(refresh.upload?.uploadId).not.toContain('before');
		}
	});
	await fc.assert(property);
});

/** The IDs of the uploads that refreshes get. */
async function found(all: Array<Omit<SentRefresh, 'engagement'>>, listed: Upload[]) {
	const engagement = new RefreshedEngagement(1, []);
	const added = all.map((refresh) => engagement.addRefresh(refresh));
	await engagement.addLook(listed, fits);
	return added.map((refresh) => refresh.upload?.uploadId);
}

it('go to the refreshes in the order of sending, the oldest first', async () => {
	const dated = ['a', 'a', 'b'].map((connector, hour) => ({
		...upload(hour, connector),
		creationDate: `2026-03-01T1${hour}:00:00`,
	}));
	const all = ['a', 'b', 'a'].map((connector) => sent(connector));
	expect(await found(all, dated.toReversed())).toEqual(['u0', 'u2', 'u1']);
	expect(await found(all, [upload(0), upload(1), upload(2)])).toEqual(['u0', 'u1', 'u2']);
});

it('go to a refresh whose outcome is unknown only if there are enough', async () => {
	const all = [sent('a'), sent('a', true), sent('a'), sent('b', true), sent('b')];
	const [first, second, third] = [0, 1, 2].map((number) => upload(number, 'a'));
	const [other, last] = [upload(3, 'b'), upload(4, 'b')];
	const listed = [first, second, third, other, last].filter((each) => each !== undefined);
	expect(await found(all, listed)).toEqual(['u0', 'u1', 'u2', 'u3', 'u4']);
	const fewer = listed.filter((each) => each !== third && each !== last);
	expect(await found(all, fewer)).toEqual(['u0', undefined, 'u1', undefined, 'u3']);
});

it('are the same in whatever case their IDs are listed', async () => {
	const [older, newer] = [upload(1, 'a'), upload(2, 'a')];
	const engagement = new RefreshedEngagement(1, [older]);
	const refresh = engagement.addRefresh(sent('a'));
	await engagement.addLook([{ ...older, uploadId: 'U1' }, newer], fits);
	expect(refresh.upload).toBe(newer);
	const complete = { ...newer, uploadId: 'U2', status: 'COMPLETED' };
	await engagement.addLook([complete], fits);
	expect(refresh.upload).toBe(complete);
});

it('are each compared once with each connector, however many there are', async () => {
	const engagement = new RefreshedEngagement(1, []);
	const all = Array.from({ length: 1000 }, (_, number) => (number % 2 === 0 ? 'a' : 'b'));
	for (const connector of all) engagement.addRefresh(sent(connector));
	let compared = 0;
	const counted = async (...given: Parameters<typeof fits>) => {
		compared++;
		return await fits(...given);
	};
	const listed = all.map((connector, number) => upload(number, connector));
	for (let looks = 0; looks < 3; looks++) await engagement.addLook(listed, counted);
	expect(compared).toBe(2 * 1000);
});

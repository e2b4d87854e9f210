import fc from 'fast-check';
import { histories } from './histories/arbitrary.mts';
import {
	EVENTS,
	FOLLOWING,
	type Change,
	type History,
	type PlannedUpload,
} from './histories/history.mts';
import { judge } from './histories/oracle.mts';
import { play, type Played } from './histories/player.mts';

/** The first of those that `npm run test:histories` plays; few for each mutant in mutation tests. */
const HISTORIES = '__stryker__' in globalThis ? 5 : 40;

it.each(EVENTS)(`${HISTORIES} random histories of %s keep the promises`, async (event) => {
	let emitted = 0;
	const asPromised = fc.asyncProperty(histories(event), async (history) => {
		const played = await play(history);
		emitted += played.polls.reduce((sum, { items = [] }) => sum + items.length, 0);
		expect(judge(played)).toEqual([]);
	});
	await fc.assert(asPromised, { numRuns: HISTORIES, seed: 1 });
	if (emitted === 0)
		throw new Error(
			`No history emits ${event}: make test/trigger/histories/arbitrary.mts cause it`,
		);
});

type Complaint = [of: string, Partial<History>, change: (played: Played) => unknown, RegExp];

describe('the oracle', () => {
	const begin = Date.UTC(2026, 5, 15, 10);
	const upload = (createdAt: number, completedAt: number) => ({
		createdAt,
		listedAt: createdAt,
		connectorName: 'ledgerpro',
		isOdd: false,
		changes: [{ at: completedAt, status: 'COMPLETED', completedAt }] as Change[],
	});
	const history: History = {
		event: 'uploadCompleted',
		begin,
		settings: { honourOrderBy: true },
		isMixed: false,
		filtersDays: false,
		zone: 'UTC',
		behind: 0,
		requestTime: 0,
		isFirstEmpty: false,
		hasSteps: false,
		durable: false,
		start: { startFrom: 'now' },
		lookback: 7_200_000,
		followFor: 7 * 24 * 3_600_000,
		own: {},
		maxUploads: 10,
		pageSize: 10,
		filters: {},
		uploads: [upload(begin - 60_000, begin - 30_000), upload(begin, begin + 60_000)],
		steps: [
			{ do: 'poll', after: 0, overlapping: 1, isDiscarded: false },
			{ do: 'poll', after: 120_000, overlapping: 1, isDiscarded: false },
		],
	};

	/** The oracle's complaints about a history with a modified outcome. */
	async function judged(change: (played: Played) => unknown, given: Partial<History> = {}) {
		const played = await play({ ...history, ...given });
		change(played);
		return judge(played).join('; ');
	}
	const emissions = ({ polls }: Played) => polls.find(({ items = [] }) => items.length > 0);

	const lose = (played: Played) => {
		if (emissions(played)?.items?.pop() !== undefined) return;
		const { event } = played.history;
		throw new Error(`Make “hours” in test/trigger/histories.test.mts cause ${event}`);
	};

	/** One upload goes on for hours, one fails, and one completes late. */
	const hours: Partial<History> = {
		uploads: [
			{ ...upload(begin, begin), changes: [] },
			{ ...upload(begin, begin), changes: [{ at: begin + 60_000, status: 'FAILED' }] },
			upload(begin, begin + 10 * 3_600_000),
		],
		steps: [0, 60_000, 9 * 3_600_000, 2 * 3_600_000].map((after) => {
			return { do: 'poll', after, overlapping: 1, isDiscarded: false };
		}),
	};

	it('accepts what is right', async () => {
		expect(await judged(() => {})).toBe('');
		for (const event of FOLLOWING) expect(await judged(() => {}, { ...hours, event })).toBe('');
	});

	it('accepts a first look at mixed forms of dates, in an hour that the end of summer time repeats', async () => {
		const at = Date.UTC(2026, 9, 25, 1);
		const shown = (second: number, isOdd: boolean): PlannedUpload => ({
			...upload(at + second * 1000, at + 60_000),
			isOdd,
		});
		const played = await play({
			...history,
			event: 'uploadStarted',
			begin: at + 1000,
			zone: 'Europe/London',
			isMixed: true,
			settings: { ...history.settings, printZone: 'Europe/London' },
			lookback: 0,
			pageSize: 3,
			uploads: [
				shown(1, true),
				shown(0, false),
				shown(1, false),
				shown(0, true),
				shown(2, false),
				shown(-3600, false),
			],
		});
		expect(judge(played)).toEqual([]);
	});

	it.each<Complaint>([
		['a lost upload', {}, lose, /due by poll 1, but never/],
		...FOLLOWING.map(
			(event): Complaint => [
				`that something about ${event} was lost`,
				{ ...hours, event },
				lose,
				/due by poll \d, but not emitted/,
			],
		),
		[
			'one that is emitted twice',
			{},
			(played) => played.polls.at(-1)?.items?.push(...(emissions(played)?.items ?? [])),
			/it was emitted before/,
		],
		[
			'one that is late',
			{},
			(played) => {
				const items = emissions(played)?.items?.splice(0) ?? [];
				played.polls.at(-1)?.items?.push(...items);
			},
			/due by poll 1, but not before/,
		],
		[
			'a state that changes in a poll that fails',
			{},
			({ polls: [first] }) => delete first?.items,
			/it failed, and changed the state/,
		],
	])('reports %s', async (_, given, change, complaint) => {
		expect(await judged(change, given)).toMatch(complaint);
	});
});

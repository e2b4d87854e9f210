import { Turn } from '../../nodes/EngagementUploads/trigger/turns.ts';
import { settled } from '../support/anyOrder.mts';

const LONG = 60_000;
const shared = { container: {}, isShared: true };
const durable = { container: {}, isShared: false };

let active: Map<string, Array<Turn<string>>>;
let events: string[];
beforeEach(() => {
	active = new Map();
	events = [];
});

interface Given {
	container: object;
	isShared: boolean;
	key?: string;
}

/** A poll that finishes when `finish` is called, and stores a state of its name. */
function start(name: string, { key = 'key', ...given }: Given) {
	let finish = (_isFailed?: boolean) => {};
	let turn: Turn<string> | undefined;
	const done = Turn.take(active, key, { ...given, end: Date.now() + LONG }, async (own, state) => {
		turn = own;
		events.push(`${name} begins${state === undefined ? '' : ` after ${state}`}`);
		const isFailed = await new Promise((resolve) => (finish = resolve));
		if (isFailed === true) throw new Error(`${name} failed`);
		own.finalState = name;
		events.push(`${name} ends`);
		return name;
	});
	return { done, finish: (isFailed?: boolean) => finish(isFailed), turn: () => turn };
}

it.each([
	{ mode: 'memory', given: shared, after: '' },
	{ mode: 'durable', given: durable, after: ' after first' },
])('a poll waits for the previous one ($mode mode)', async ({ given, after }) => {
	const first = start('first', given);
	const second = start('second', given);
	await settled();
	expect(events).toEqual(['first begins']);
	first.finish();
	await settled();
	expect(events).toEqual(['first begins', 'first ends', `second begins${after}`]);
	second.finish();
	expect(await Promise.all([first.done, second.done])).toEqual(['first', 'second']);
	expect(second.turn()?.isOvertaken).toBe(false);
	expect(active.size).toBe(0);
});

it('in durable mode, it waits even if n8n keeps another copy, and gets the latest state', async () => {
	const polls = ['first', 'second', 'third'].map((name) =>
		start(name, { ...durable, container: {} }),
	);
	const results = Promise.allSettled(polls.map(async ({ done }) => await done));
	for (const { finish } of polls) {
		await settled();
		finish(finish === polls[1]?.finish);
	}
	expect((await results).map(({ status }) => status)).toEqual([
		...['fulfilled', 'rejected', 'fulfilled'],
	]);
	expect(events.at(-2)).toBe('third begins after first');
});

it('in memory mode, it overtakes a poll of an older registration', async () => {
	const old = start('old', shared);
	const next = start('next', { ...shared, container: {} });
	await settled();
	expect(events).toEqual(['old begins', 'next begins']);
	expect(old.turn()?.isOvertaken).toBe(true);
	next.finish();
	await next.done;
	expect(active.get('key')).toEqual([old.turn()]);
	old.finish();
	await old.done;
	expect(active.size).toBe(0);
});

it('polls of other triggers do not wait for each other', async () => {
	const polls = ['one', 'other'].map((key) => start(key, { ...shared, key }));
	await settled();
	expect(events).toEqual(['one begins', 'other begins']);
	for (const { finish } of polls) finish();
	await Promise.all(polls.map(async ({ done }) => await done));
});

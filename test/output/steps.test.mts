import { stepsOf } from '../../nodes/EngagementUploads/api/shape.ts';
import { splitSteps } from '../../nodes/EngagementUploads/output/simplified.ts';

it('steps are in the order of the process, whatever their form', () => {
	const [first, second] = [
		{ name: 'first', sorting: '1' },
		{ name: 'second', sorting: 2 },
	];
	const tenth = { name: 'tenth', sorting: 10 };
	const sent = [tenth, second, first];
	expect(stepsOf({ steps: sent })).toEqual([first, second, tenth]);
	expect(sent).toEqual([tenth, second, first]);
	expect(stepsOf({ steps: first })).toEqual([first]);
	expect(stepsOf({ steps: [null, first, 'text'] })).toEqual([first]);
	expect(stepsOf({ steps: null })).toEqual([]);
});

it('steps without a readable position come first, unchanged', () => {
	const sorting = { toString: 9, valueOf: 9 };
	const steps = [{ name: 'a', sorting: 1 }, { name: 'b', sorting }, { name: 'c' }];
	expect(stepsOf({ steps }).map(({ name }) => name)).toEqual(['b', 'c', 'a']);
});

it('a split step has its dates as ISO 8601, and no additional fields', () => {
	const step = {
		name: 'Extract',
		created: '2026-07-01T10:00:00',
		started: '2026-07-01T10:00:05',
		lastUpdate: '2026-07-01T10:00:09',
	};
	expect(splitSteps({ steps: [step] }, 'Europe/London')).toEqual([
		{
			name: 'Extract',
			created: '2026-07-01T09:00:00.000Z',
			started: '2026-07-01T09:00:05.000Z',
			lastUpdate: '2026-07-01T09:00:09.000Z',
		},
	]);
	expect(splitSteps({ steps: [{ name: 'Load' }] }, 'UTC')).toEqual([{ name: 'Load' }]);
});

import { soak, type Sample, type Soaked } from './soak.mts';

jest.setTimeout(3_600_000);

/* `npm run soak` simulates a whole day. */
const plan =
	process.env.SOAK === 'long'
		? { polls: 1440, executions: 5000, samples: 12 }
		: { polls: 240, executions: 120, samples: 6 };
const MEGABYTE = 1_000_000;

const warnings: string[] = [];
const note = ({ name, message }: Error) => warnings.push(`${name}: ${message}`);

let soaked: Soaked;
beforeAll(async () => {
	process.on('warning', note);
	soaked = await soak(plan);
	process.off('warning', note);
	if (process.env.SOAK === 'long') console.table(soaked.samples.map(shown));
});

/** What `npm run soak` prints. */
function shown({ heapBytes, stateBytes, resources }: Sample) {
	return { heapMB: heapBytes / MEGABYTE, stateBytes, handles: resources.length };
}

const second = <T,>(list: T[]) => list[1] as T;
const last = <T,>(list: T[]) => list.at(-1) as T;

it('emits every upload once', () => {
	expect(soaked.emitted).toEqual(soaked.completed);
	expect(soaked.failures).toHaveLength(Math.floor(plan.polls / 50));
});

it('keeps no more in the state than what completed within the look-back', () => {
	const sizes = soaked.samples.map(({ stateBytes }) => stateBytes);
	expect(last(sizes)).toBeLessThan(Math.max(...sizes.slice(0, -1)) * 1.2);
	expect(last(sizes)).toBeLessThan(10_000);
});

it('leaves no socket, listener or timer behind', () => {
	const counted = ({ resources }: Sample) =>
		resources.filter((kind) => /TCP|TLS|Timeout|Immediate|Pipe|Server/.test(kind)).length;
	const counts = soaked.samples.map(counted);
	// Handles from the start, and connections kept alive for the next request.
	expect(last(counts)).toBeLessThanOrEqual(second(counts) + 4);
});

it('does not let the heap grow', () => {
	const heaps = soaked.samples.map(({ heapBytes }) => heapBytes);
	expect(last(heaps) - second(heaps)).toBeLessThan(10 * MEGABYTE);
});

it('causes no warnings, such as about too many listeners', () => {
	expect(warnings).toEqual([]);
});

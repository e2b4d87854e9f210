/** Tells which files the computing time of some work goes into. */
import { Session, type Profiler } from 'node:inspector/promises';

/**
 * Profiles some work. What is native, such as `Date.parse`, counts for the file that calls it. @returns the
 * percentage of the computing time that goes into the files whose URL matches
 */
export async function profile(work: () => Promise<unknown>): Promise<(file: RegExp) => number> {
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.setSamplingInterval', { interval: 200 });
	await session.post('Profiler.start');
	await work();
	const { profile: recorded } = await session.post('Profiler.stop');
	session.disconnect();

	const nodes = new Map(recorded.nodes.map((node) => [node.id, node]));
	const samples: Array<{ file: string; hits: number }> = [];
	const walk = (
		{ callFrame, hitCount = 0, children = [] }: Profiler.ProfileNode,
		caller: string,
	) => {
		const file = callFrame.url || caller;
		if (callFrame.functionName !== '(idle)') samples.push({ file, hits: hitCount });
		for (const child of children.map((id) => nodes.get(id))) if (child) walk(child, file);
	};
	// The first node is the root of the tree of calls.
	if (recorded.nodes[0]) walk(recorded.nodes[0], '');
	const sum = (some: typeof samples) => some.reduce((total, { hits }) => total + hits, 0);
	return (url) => (100 * sum(samples.filter(({ file }) => url.test(file)))) / sum(samples);
}

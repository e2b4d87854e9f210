import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { withSection } from '../../support/markdown.mts';
import { makeTemplate, removeTemplate } from '../sandbox.mts';
import { measureEmission } from './emitting.mts';
import { measureKill } from './killing.mts';
import { plansOf, type Plans } from './plans.mts';
import { measurePolls } from './polling.mts';
import { measureRefreshes, warmUp, type RefreshPlan } from './refreshing.mts';
import {
	costTable,
	emissionTable,
	killTable,
	limitTable,
	pollTable,
	portfolioTable,
	runTable,
	setting,
	tokenTable,
} from './report.mts';
import { World } from './world.mts';

const HELP = `npm run scale -- [--quick] [--only runs,limits,tokens,emissions,kills,polls]

Measures n8n in queue mode, with Redis and PostgreSQL, and writes the tables of docs/scale.md. About a
quarter of an hour, on a machine that does nothing else; --quick measures a tenth of it, and writes
nothing.`;
const DOCUMENT = 'docs/scale.md';
const PARTS = ['runs', 'limits', 'tokens', 'emissions', 'kills', 'polls'];

/** A part of the document, and its new lines. */
type Sections = Map<string, string[]>;

function readOptions() {
	const { values } = parseArgs({
		options: {
			quick: { type: 'boolean', default: false },
			only: { type: 'string', default: PARTS.join() },
			help: { type: 'boolean', default: false },
		},
	});
	const parts = values.only.split(',');
	const unknown = parts.filter((part) => !PARTS.includes(part));
	if (unknown.length > 0) throw new Error(`--only does not know ${unknown.join(', ')}`);
	return { ...values, parts };
}

async function measureEach<P, R>(plans: P[], measure: (plan: P) => Promise<R>): Promise<R[]> {
	const results: R[] = [];
	for (const plan of plans) {
		const result = await measure(plan);
		console.dir(result, { depth: null });
		results.push(result);
	}
	return results;
}

/** Measures what needs n8n as a whole. */
async function measureInN8n(parts: string[], plans: Plans): Promise<Sections> {
	const sections: Sections = new Map();
	const template = await makeTemplate((text) => console.log(text));
	try {
		const world = await World.open(template);
		const refreshes = async (list: RefreshPlan[]) =>
			await measureEach(list, async (plan) => await measureRefreshes(world, plan));
		const measured = async <R,>(part: string, measure: () => Promise<R[]>) =>
			parts.includes(part) ? await measure() : [];
		try {
			await warmUp(world, 1);
			const runs = await measured('runs', async () => await refreshes(plans.runs));
			if (runs.length > 0) sections.set('runs', runTable(runs));
			const tokens = await measured('tokens', async () => await refreshes(plans.tokens));
			if (tokens.length > 0) sections.set('tokens', tokenTable(tokens));
			const emissions = await measured(
				'emissions',
				async () =>
					await measureEach(plans.emissions, async (plan) => await measureEmission(world, plan)),
			);
			if (emissions.length > 0) sections.set('emissions', emissionTable(emissions));
			if (runs.length > 0 && emissions.length > 0)
				sections.set('costs', costTable(world.idle, runs, emissions));
			const limits = await measured('limits', async () => await refreshes(plans.limits));
			if (limits.length > 0) sections.set('limits', limitTable(limits));
			const kills = await measured(
				'kills',
				async () => await measureEach(plans.kills, async (plan) => await measureKill(world, plan)),
			);
			if (kills.length > 0) sections.set('kills', killTable(kills));
		} finally {
			await world.close();
		}
	} finally {
		removeTemplate(template);
	}
	return sections;
}

async function main(): Promise<void> {
	const { help, quick, parts } = readOptions();
	if (help) return console.log(HELP);
	const plans = plansOf(quick);
	const sections: Sections = new Map([['setting', setting()]]);
	if (parts.includes('polls')) {
		const results = await measureEach(plans.polls, measurePolls);
		sections.set('polls', pollTable(results)).set('portfolio', portfolioTable(results));
	}
	if (parts.some((part) => part !== 'polls'))
		for (const [name, lines] of await measureInN8n(parts, plans)) sections.set(name, lines);
	for (const [name, lines] of sections) console.log(`\n${name}\n\n${lines.join('\n')}`);
	if (quick) return;
	let document = await readFile(DOCUMENT, 'utf8');
	for (const [name, lines] of sections) document = withSection(document, name, lines);
	await writeFile(DOCUMENT, document);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : String(error));
	process.exitCode = 1;
});

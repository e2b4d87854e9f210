import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

import { INSTALLED } from './install.mts';
import { figuresOf } from './limits.mts';
import type { Result } from './measure.mts';
import { MAX_PARALLEL } from './workload.mts';

/**
 * The parts of vega and vega-lite that are used; their own types exist only once they are
 * installed.
 */
interface Vega {
	parse(spec: unknown): object;
	View: new (runtime: object, options: { renderer: 'none' }) => { toSVG(): Promise<string> };
}
interface VegaLite {
	compile(spec: object): { spec: object };
}

const SHOWN_LATENCY = 50;
/** Colours of bars that are faster than HTTP Request, and of the others. */
const COLOURS = ['#2a7f62', '#8d96a3'];

/** An SVG picture with a bar for each workload: how many times faster it is than HTTP Request. */
export async function plotOf(results: Result[]): Promise<string> {
	const vega = await imported<Vega>('vega');
	const vegaLite = await imported<VegaLite>('vega-lite');
	const view = new vega.View(vega.parse(vegaLite.compile(specOf(results)).spec), {
		renderer: 'none',
	});
	return `${await view.toSVG()}\n`;
}

async function imported<T>(name: string): Promise<T> {
	const file = createRequire(INSTALLED).resolve(name);
	return (await import(pathToFileURL(file).href)) as T;
}

function specOf(results: Result[]): object {
	const values = results.flatMap((result) => barOf(result, results));
	const works = values.map(({ work }) => work);
	const y = {
		field: 'work',
		type: 'nominal',
		sort: works,
		title: null,
		axis: { labelLimit: 0, ticks: false, domain: false },
	};
	return {
		background: 'white',
		padding: 12,
		width: 420,
		height: { step: 24 },
		title: {
			text: 'How many times faster than n8n’s HTTP Request node',
			subtitle: `Dashed line: as fast as HTTP Request in batches of ${MAX_PARALLEL}. The service answers in ${SHOWN_LATENCY} ms`,
			anchor: 'start',
			offset: 12,
		},
		data: { values },
		encoding: {
			y,
			x: { field: 'ratio', type: 'quantitative', title: null, axis: null, scale: { zero: true } },
		},
		layer: [
			{
				mark: { type: 'bar', height: 15 },
				encoding: {
					color: {
						field: 'isFaster',
						type: 'nominal',
						scale: { domain: [true, false], range: COLOURS },
						legend: null,
					},
				},
			},
			{
				mark: { type: 'text', align: 'left', dx: 5, fontWeight: 'bold' },
				encoding: { text: { field: 'label' }, x: { field: 'labelAt', type: 'quantitative' } },
			},
			{ mark: { type: 'rule', strokeDash: [3, 3] }, encoding: { x: { datum: 1 }, y: null } },
		],
		config: { view: { stroke: null } },
	};
}

interface Bar {
	work: string;
	ratio: number;
	label: string;
	/** To the right of both the bar and the dashed line. */
	labelAt: number;
	isFaster: boolean;
}

/** The picture shows workloads at one latency only; the table has the others. */
function barOf({ work, contestant, median }: Result, results: Result[]): Bar[] {
	const other =
		figuresOf(results, work.id, 'httpRequestBatched') ?? figuresOf(results, work.id, 'httpRequest');
	const isShown = work.highlight === true && work.latencyMs === SHOWN_LATENCY;
	if (contestant !== 'node' || !isShown || !other) return [];
	const ratio = other.wallMs / median.wallMs;
	return [
		{
			work: work.title,
			ratio,
			label: `${ratio.toFixed(1)} ×`,
			labelAt: Math.max(ratio, 1),
			isFaster: ratio >= 1,
		},
	];
}

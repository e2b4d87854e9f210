import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

import { INSTALLED } from './install.mts';
import type { Result } from './measure.mts';
import { NAMES } from './report.mts';

/** As much of vega and vega-lite as is used; their own types are there only once they are installed. */
interface Vega {
	parse(spec: unknown): object;
	View: new (runtime: object, options: { renderer: 'none' }) => { toSVG(): Promise<string> };
}
interface VegaLite {
	compile(spec: object): { spec: object };
}

const COLOURS = ['#d1495b', '#30638e', '#8d96a3', '#c3c9d1', '#edae49'];

/** Wall times as an SVG picture: a line per work, a dot per contestant. */
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
	const values = results.map(({ work, contestant, median }) => ({
		work: `${work.title}, ${work.latencyMs} ms`,
		contestant: NAMES[contestant],
		seconds: median.wallMs / 1000,
	}));
	const works = [...new Set(values.map(({ work }) => work))];
	return {
		background: 'white',
		padding: 12,
		width: 520,
		height: { step: 26 },
		data: { values },
		mark: { type: 'point', filled: true, size: 110, opacity: 0.9 },
		encoding: {
			y: {
				field: 'work',
				type: 'nominal',
				sort: works,
				title: null,
				axis: { labelLimit: 0, grid: true },
			},
			x: {
				field: 'seconds',
				type: 'quantitative',
				scale: { type: 'log' },
				title: 'Wall time in seconds, median (logarithmic; less is better)',
			},
			color: {
				field: 'contestant',
				type: 'nominal',
				scale: { domain: Object.values(NAMES), range: COLOURS },
				legend: { orient: 'top', title: null, columns: 3, labelLimit: 320 },
			},
		},
	};
}

import { figuresOf } from './limits.mts';
import type { Result } from './measure.mts';
import { MAX_PARALLEL } from './workload.mts';

const SHOWN_LATENCY = 50;
/** Colours of bars that are faster than HTTP Request, and of the others. */
const [FASTER, SLOWER] = ['#2a7f62', '#8d96a3'];
/** In pixels. */
const [ROW, BAR, LEFT, WIDTH, TOP] = [24, 15, 330, 420, 60];

/** A workload, and how many times faster it is than HTTP Request. */
interface Bar {
	work: string;
	ratio: number;
}

/** An SVG picture with a bar for each workload. */
export function plotOf(results: Result[]): string {
	const bars = results.flatMap((result) => barOf(result, results));
	const most = Math.max(1, ...bars.map(({ ratio }) => ratio));
	const xOf = (ratio: number) => LEFT + Math.round((ratio / most) * WIDTH);
	const height = TOP + bars.length * ROW;
	const rows = bars.flatMap(({ work, ratio }, index) => {
		const y = TOP + index * ROW;
		const colour = ratio >= 1 ? FASTER : SLOWER;
		// To the right of both the bar and the dashed line.
		const end = xOf(Math.max(ratio, 1)) + 5;
		return [
			text(LEFT - 8, y + BAR - 3, work, 'text-anchor="end"'),
			`<rect x="${LEFT}" y="${y}" width="${xOf(ratio) - LEFT}" height="${BAR}" fill="${colour}"/>`,
			text(end, y + BAR - 3, `${ratio.toFixed(1)} ×`, 'font-weight="bold"'),
		];
	});
	const subtitle = `Dashed line: as fast as HTTP Request in batches of ${MAX_PARALLEL}. The service answers in ${SHOWN_LATENCY} ms`;
	const size = `width="${LEFT + WIDTH + 70}" height="${height + 12}"`;
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="sans-serif" font-size="11">`,
		'<rect width="100%" height="100%" fill="white"/>',
		text(12, 22, 'How many times faster than n8n’s HTTP Request node', 'font-weight="bold"'),
		text(12, 40, subtitle),
		...rows,
		`<path d="M${xOf(1)} ${TOP - 6}V${height}" stroke="black" stroke-dasharray="3 3"/>`,
		'</svg>',
		'',
	].join('\n');
}

function text(x: number, y: number, content: string, attributes = ''): string {
	const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
	return `<text x="${x}" y="${y}" ${attributes}>${escaped}</text>`;
}

/** The picture shows workloads at one latency only; the table has the others. */
function barOf({ work, contestant, median }: Result, results: Result[]): Bar[] {
	const other =
		figuresOf(results, work.id, 'httpRequestBatched') ?? figuresOf(results, work.id, 'httpRequest');
	const isShown = work.highlight === true && work.latencyMs === SHOWN_LATENCY;
	if (contestant !== 'node' || !isShown || !other) return [];
	return [{ work: work.title, ratio: other.wallMs / median.wallMs }];
}

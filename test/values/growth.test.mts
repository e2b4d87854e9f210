/** What people enter and services send may be long and hostile: no parser may take long for it. */
import { isFailedStatus } from '../../nodes/EngagementUploads/api/uploadStatus.ts';
import { toOutput } from '../../nodes/EngagementUploads/output/outputMapper.ts';
import { filterRules, ruleMatcher } from '../../nodes/EngagementUploads/fields/uploadFilters.ts';
import {
	connectorNameOf,
	namesInUploads,
} from '../../nodes/EngagementUploads/search/connectors.ts';
import {
	parseDate,
	parseTime,
	toCalendarDay,
	toIsoTime,
} from '../../nodes/EngagementUploads/values/dates.ts';
import { valueAt } from '../../nodes/EngagementUploads/values/objects.ts';
import { isAbsent, queryText } from '../../nodes/EngagementUploads/values/text.ts';
import { startCpuTime } from '../support/cpuTime.mts';
import { kinds, type Reader } from './readers.mts';

const LENGTH = 100_000;
/**
 * Milliseconds of CPU: about 20 times what is needed, since a busy machine counts more. Work that grows
 * with the square takes seconds.
 */
const MAX_BLOCK = 200;
/** The shortest of several runs counts. */
const RUNS = 3;

const filled = (start: string, part: string, end: string) =>
	start + part.repeat((LENGTH - start.length - end.length) / part.length) + end;
const hostile = {
	blanks: filled('', ' ', 'x'),
	'blanks after null': filled('null', ' ', 'x'),
	'blanks in a date': filled('2026-03-01T10:15:30', ' ', 'Z'),
	'line breaks': filled('x', '\n', 'x'),
	'invisible characters': filled('1', '\u200b', 'x'),
	emoji: filled('x', '😀', 'x'),
	zeros: filled('', '0', ''),
	'zeros, then a letter': filled('', '0', 'x'),
	'decimal places': filled('1.', '0', 'x'),
	digits: filled('', '7', '.'),
	separators: filled('', ',', ''),
	'short entries': filled('', 'a,', 'b'),
	dots: filled('', 'a.', 'b'),
	underscores: filled('', 'NOT_', 'FAILED'),
	'open brackets': filled('', '[', ''),
	'open braces': filled('', '{"a":', ''),
	IDs: Array.from({ length: 14_000 }, (_, index) => 100_001 + index).join(),
};

const readers: Record<string, Reader> = {
	...Object.fromEntries(Object.entries(kinds).map(([name, { read }]) => [name, read])),
	queryText,
	isAbsent,
	isFailedStatus: (value) => isFailedStatus(String(value)),
	parseDate: (value) => parseDate(value, 'Europe/London'),
	parseTime: (value) => parseTime(value, 'Europe/London'),
	toIsoTime: (value) => toIsoTime(value, 'Europe/London'),
	toCalendarDay: (value) => toCalendarDay(value, 'Europe/London'),
	valueAt: (value) => valueAt({ a: { b: 1 } }, String(value), true),
	connectorNameOf: (value) => connectorNameOf([{ id: '11', name: 'a' }], String(value)),
	'connectorNameOf from the service': (value) =>
		connectorNameOf([{ id: String(value), name: 'a' }], '11'),
};

function shortestRun(run: () => unknown): number {
	const times = Array.from({ length: RUNS }, () => {
		const milliseconds = startCpuTime();
		try {
			run();
		} catch {
			// Most hostile values are rejected.
		}
		return milliseconds();
	});
	return Math.min(...times);
}

it.each(Object.entries(readers))('%s takes no longer than a moment', (_name, read) => {
	const slow = Object.entries(hostile).filter(
		([, value]) => shortestRun(() => read(value, 'The Field')) > MAX_BLOCK,
	);
	expect(slow.map(([kind]) => kind)).toEqual([]);
});

it('many names of fields are found in a record of many fields in a moment', () => {
	const names = Array.from({ length: 5_000 }, (_, index) => `Field${index}`);
	const fields = names.map((name) => name.toUpperCase());
	const select = () => {
		const record = Object.fromEntries(names.map((name) => [name, 1]));
		return toOutput(record, 'user', { output: 'selectedFields', fields }, { zone: 'UTC' });
	};
	expect(Object.values(select())).toEqual(fields.map(() => 1));
	expect(shortestRun(select)).toBeLessThan(MAX_BLOCK);
});

it('filters with thousands of names take no time for each record', () => {
	const names = Array.from({ length: 5_000 }, (_, index) => `Connector ${index}`);
	const connectors = names.slice(0, 500).map((name, id) => ({ id, name, title: name }));
	const some = names.slice(0, 500);
	const ofService = () => namesInUploads(connectors, Array<string[]>(10).fill(some).flat());
	const others = Array.from(
		{ length: 40_000 },
		(_, index) => `Connector ${5_000 + (index % 5_000)}`,
	);
	const records = others.map((connectorName) => ({ connectorName }));
	const filtered = () => {
		const matches = ruleMatcher(filterRules('connectorName', names));
		return [...records, { connectorName: 'connector 7' }].filter(matches);
	};
	expect(filtered()).toHaveLength(1);
	for (const run of [ofService, filtered]) expect(shortestRun(run)).toBeLessThan(MAX_BLOCK);
});

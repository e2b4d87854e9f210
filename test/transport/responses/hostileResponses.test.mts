/** JSON that is made to take long: it is read, or rejected, quickly. */
import { kinds } from '../../../nodes/EngagementUploads/api/records.ts';
import {
	parseBody,
	readPage,
	UnreadableResponse,
} from '../../../nodes/EngagementUploads/transport/responses/responses.ts';
import { startCpuTime } from '../../support/cpuTime.mts';

const times = (count: number, text: (index: number) => string) =>
	Array.from({ length: count }, (_, index) => text(index)).join();
const nested = (depth: number, width: number): string =>
	depth === 0 ? '{}' : `{${times(width, (index) => `"${index}":${nested(depth - 1, width)}`)}}`;

it.each([
	['objects by key', `{${times(100_000, (index) => `"k${index}":{}`)}}`],
	['objects by key in a wrapper', `{"data":{${times(100_000, (index) => `"k${index}":{}`)}}}`],
	['lists by key', `{${times(100_000, (index) => `"${index}":[]`)}}`],
	['a tree', nested(3, 45)],
	['a deep tree', nested(4, 17)],
	['empty records', `[${times(330_000, () => '{}')}]`],
	['lists in a list', `{"a":[${times(330_000, () => '[]')}]}`],
	['records in wrappers', `{"id":1,"a":[${times(100_000, () => '{"id":1}')}]}`],
	['deep lists', '['.repeat(500_000) + ']'.repeat(500_000)],
	['deep objects', '{"a":'.repeat(150_000) + '1' + '}'.repeat(150_000)],
	['deep records', '{"id":1,"a":['.repeat(60_000) + ']}'.repeat(60_000)],
])('JSON is read quickly: %s', (_what, text) => {
	const milliseconds = startCpuTime();
	try {
		readPage(parseBody(text), kinds.engagement);
	} catch (error) {
		expect(error).toBeInstanceOf(UnreadableResponse);
	}
	// The test environment itself takes several times what Node.js takes.
	expect(milliseconds()).toBeLessThan(3000);
});

it('JSON is unreadable if it is nested too deeply to be written again', () => {
	const deep = '[{"name":' + '['.repeat(10_000) + ']'.repeat(10_000) + '}]';
	expect(() => parseBody(deep)).toThrow('it is nested too deeply');
});

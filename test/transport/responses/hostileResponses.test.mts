/** JSON that no service sends by mistake: it is read, or rejected as unreadable. */
import { kinds } from '../../../nodes/EngagementUploads/api/records.ts';
import {
	parseBody,
	readPage,
	UnreadableResponse,
} from '../../../nodes/EngagementUploads/transport/responses/responses.ts';

const times = (count: number, text: (index: number) => string) =>
	Array.from({ length: count }, (_, index) => text(index)).join();
const nested = (depth: number, width: number): string =>
	depth === 0 ? '{}' : `{${times(width, (index) => `"${index}":${nested(depth - 1, width)}`)}}`;

it.each([
	['objects by key', `{${times(1000, (index) => `"k${index}":{}`)}}`],
	['objects by key in a wrapper', `{"data":{${times(1000, (index) => `"k${index}":{}`)}}}`],
	['lists by key', `{${times(1000, (index) => `"${index}":[]`)}}`],
	['a tree', nested(3, 10)],
	['a deep tree', nested(4, 6)],
	['empty records', `[${times(1000, () => '{}')}]`],
	['lists in a list', `{"a":[${times(1000, () => '[]')}]}`],
	['records in wrappers', `{"id":1,"a":[${times(1000, () => '{"id":1}')}]}`],
	['deep lists', '['.repeat(50_000) + ']'.repeat(50_000)],
	['deep objects', '{"a":'.repeat(15_000) + '1' + '}'.repeat(15_000)],
	['deep records', '{"id":1,"a":['.repeat(6_000) + ']}'.repeat(6_000)],
])('JSON is read, or rejected: %s', (_what, text) => {
	try {
		readPage(parseBody(text), kinds.engagement);
	} catch (error) {
		expect(error).toBeInstanceOf(UnreadableResponse);
	}
});

it('JSON is unreadable if it is nested too deeply to be written again', () => {
	const deep = '[{"name":' + '['.repeat(10_000) + ']'.repeat(10_000) + '}]';
	expect(() => parseBody(deep)).toThrow('it is nested too deeply');
});

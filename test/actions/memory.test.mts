import { NodeOperationError, type INode } from 'n8n-workflow';
import { Memory, type ProgressList } from '../../nodes/EngagementUploads/actions/memory.ts';

const node: INode = {
	...{ id: 'n', name: 'Uploads', type: 'test', typeVersion: 1 },
	...{ position: [0, 0], parameters: {} },
};
const created: ProgressList = { key: 'createdEngagements', label: 'Created engagements' };
const refreshed: ProgressList = { key: 'refreshed', label: 'Refreshed' };

const failure = (description?: string) =>
	new NodeOperationError(node, 'It failed', { description });

/** A memory after writes have begun. */
function begun(): Memory {
	const memory = new Memory();
	memory.hasBegun = true;
	return memory;
}

/** Records a write for each of these engagements, the first for item 0. */
function record(memory: Memory, list: ProgressList, ids: number[]): void {
	for (const [index, engagementId] of ids.entries()) {
		memory.record(list, index, { engagementId });
		memory.outcomes.set(index, { records: [] });
	}
}

const shown = (error: Error) => [error.message, (error as NodeOperationError).description];

describe('the error that stops an execution', () => {
	it('says how many items were processed, and what was written, in the order of the items', () => {
		const memory = begun();
		memory.record(created, 1, { engagementId: 8 });
		record(memory, created, [7]);
		memory.record(refreshed, 2, { engagementId: 9, link: null });
		const error = memory.describe(failure('Try later'), 4) as NodeOperationError;
		expect(shown(error)).toEqual([
			'It failed. 1 of 4 items had already been processed. Created engagements: 7, 8. Refreshed: 9',
			'Try later',
		]);
		expect(error.context).toMatchObject({ createdEngagements: [7, 8], refreshed: [9] });
	});

	it('names 100 engagements, and all of them in the details', () => {
		const memory = begun();
		const ids = Array.from({ length: 101 }, (_, index) => index);
		record(memory, created, ids.slice(1));
		expect(shown(memory.describe(failure(), 1))).toEqual([
			`It failed. Created engagements: ${ids.slice(1).join(', ')}`,
			'',
		]);
		record(memory, created, ids);
		expect(shown(memory.describe(failure(), 1))).toEqual([
			`It failed. Created engagements: ${ids.slice(0, 100).join(', ')} and 1 more`,
			`Created engagements: ${ids.join(', ')}`,
		]);
	});

	it('stays as it is if nothing was sent, or there is nothing to say', () => {
		expect(shown(new Memory().describe(failure(), 2))[0]).toBe('It failed');
		expect(shown(begun().describe(failure(), 1))[0]).toBe('It failed');
	});
});

it('an item is finished once its records are complete', () => {
	const memory = begun();
	const [sent, failed] = [{ records: [] }, { error: new Error('It failed') }];
	memory.outcomes.set(0, sent);
	memory.outcomes.set(1, failed);
	memory.outcomes.set(2, { ...sent, isPartial: true });
	expect([0, 1, 2, 3].map((index) => memory.finished(index))).toEqual([
		...[sent, failed],
		...[undefined, undefined],
	]);
	expect(shown(memory.describe(failure(), 4))[0]).toContain('1 of 4 items');
});

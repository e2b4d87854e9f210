import type { IDataObject } from 'n8n-workflow';
import { recheck, type FindableList } from '../../nodes/EngagementUploads/trigger/followed.ts';
import type { ListQuery } from '../../nodes/EngagementUploads/trigger/pageRun.ts';
import { filterFrom } from '../../nodes/EngagementUploads/trigger/scan.ts';
import type { CursorState } from '../../nodes/EngagementUploads/trigger/state.ts';
import type { SeenUpload } from '../../nodes/EngagementUploads/trigger/upload.ts';
import { followingWith, freshState, NOW, wholeReading } from './pollSetup.mts';

const DAY = 24 * 3_600_000;
const following = followingWith({ lookback: 1000 });

const seen = (id: string): SeenUpload => ({ id, time: NOW - Number(id) * DAY, record: {} });

/** A list of one page; the IDs of uploads are their ages in days. */
class TestList implements FindableList {
	readonly pageSize = 100;
	readonly parallel = 1;
	readonly serviceTime = NOW;
	readonly asked: ListQuery[] = [];
	readonly found: string[] = [];

	constructor(
		private readonly listed: string[],
		private readonly findable = listed,
	) {}

	async fetchPage(query: ListQuery) {
		this.asked.push(query);
		const records = this.listed.map((uploadId) => ({ uploadId }));
		return await Promise.resolve({ records, page: { last: true } });
	}

	async find(uploadId: string) {
		this.found.push(uploadId);
		return await Promise.resolve(this.findable.includes(uploadId) ? seen(uploadId) : undefined);
	}

	read({ uploadId }: IDataObject) {
		return { ...seen(String(uploadId)), record: { isListed: true } };
	}

	isRefusedOrder = () => false;
}

function recheckWith(ids: string[], list: TestList, read: string[], isOver = false) {
	const state: CursorState = {
		...freshState('uploadStatusChanged'),
		followed: Object.fromEntries(ids.map((id) => [id, { time: seen(id).time, status: 'LOADING' }])),
	};
	return recheck(state, list, wholeReading(read.map(seen)), following, () => isOver);
}
const idsOf = (uploads: SeenUpload[]) => uploads.map(({ id }) => id);
const agesTo = (last: number) =>
	Array.from({ length: last }, (_, index) => String(index / 2 + 0.5));

it('requests followed uploads that were not read, by ID, oldest first', async () => {
	const list = new TestList(['1', '2', '3', '8']);
	const { reading, gone } = await recheckWith(['1', '2', '3', '5', '8'], list, ['2', '0']);
	expect(list.found).toEqual(['5', '3', '1']);
	expect(idsOf(reading.uploads)).toEqual(['2', '0', '3', '1']);
	expect(gone).toEqual(['5']);
	expect(list.asked).toEqual([]);
});

it('reads the list from the eleventh onwards if there are more, and requests ten by ID', async () => {
	const ages = agesTo(12);
	const list = new TestList(['0.5', '1'], ages);
	const { reading, gone } = await recheckWith(ages, list, ['0.5']);
	expect(list.asked).toMatchObject([{ from: filterFrom(seen('1').time) }]);
	expect(list.found).toEqual(ages.slice(2).reverse());
	expect(gone).toEqual([]);
	expect(reading.uploads).toHaveLength(12);
	expect(reading.uploads.filter(({ record }) => record.isListed)).toEqual([
		{ ...seen('1'), record: { isListed: true } },
	]);
});

it('requests the ten oldest if there is no time for the list', async () => {
	const ages = agesTo(12);
	const list = new TestList(ages);
	const { reading } = await recheckWith(ages, list, [], true);
	expect(list.asked).toEqual([]);
	expect(list.found).toEqual(ages.slice(2).reverse());
	expect(reading.uploads).toHaveLength(10);
});

/** Which uploads the refreshes of one engagement have started, whatever the order of events. */
import fc from 'fast-check';
import {
	RefreshedEngagement,
	type ListedUpload,
	type SentRefresh,
} from '../../nodes/EngagementUploads/actions/dataRefresh/engagement.ts';
import { startCpuTime } from '../support/cpuTime.mts';

const fits = async ({ record }: ListedUpload, connector: string) =>
	record.connectorName === undefined || record.connectorName === connector;

const options = { waitInterval: 1, waitTimeout: 1 };

type Step = { send: string; isListedLate: boolean } | { foreign: string } | 'look';

const connectors = fc.constantFrom('a', 'b');
const steps: fc.Arbitrary<Step[]> = fc.array(
	fc.oneof(
		fc.record({ send: connectors, isListedLate: fc.boolean() }),
		fc.record({ foreign: connectors }),
		fc.constant('look' as const),
	),
	{ maxLength: 30 },
);

const upload = (number: number, connectorName?: string): ListedUpload => ({
	// All within one second, which dates cannot tell apart.
	record: { uploadId: `u${number}`, connectorName, creationDate: '2026-03-01T10:15:30' },
});

it('are new, of its connector, and of no other refresh', async () => {
	const property = fc.asyncProperty(steps, async (all) => {
		const engagement = new RefreshedEngagement(1);
		const listed: ListedUpload[] = [];
		const late: ListedUpload[] = [];
		const refreshes: Array<{ refresh: SentRefresh; before: Set<unknown> }> = [];
		const look = async () => await engagement.addLook([...listed], fits);
		for (const [number, step] of [...all, 'look' as const].entries()) {
			if (step === 'look') {
				listed.push(...late.splice(0));
				await look();
			} else if ('foreign' in step) {
				listed.push(upload(number, step.foreign));
			} else {
				await look();
				const before = new Set(listed.map(({ record }) => record.uploadId));
				engagement.baseline = engagement.looks;
				const refresh = engagement.addRefresh(step.send, options);
				refreshes.push({ refresh, before });
				(step.isListedLate ? late : listed).push(upload(number, step.send));
			}
		}
		const found = refreshes.map(({ refresh }) => refresh.upload?.uploadId);
		expect(found).not.toContain(undefined);
		expect(new Set(found).size).toBe(found.length);
		for (const { refresh, before } of refreshes) {
			expect(refresh.upload?.connectorName).toBe(refresh.connector);
			expect(before.has(refresh.upload?.uploadId)).toBe(false);
		}
	});
	await fc.assert(property);
});

it('go to the refreshes in the order of sending, the oldest first', async () => {
	const engagement = new RefreshedEngagement(1);
	const refreshes = ['a', 'b', 'a'].map((connector) => engagement.addRefresh(connector, options));
	const dated = ['a', 'a', 'b'].map((connector, hour) => ({
		record: {
			uploadId: `${hour}`,
			connectorName: connector,
			creationDate: `2026-03-01T1${hour}:00:00`,
		},
	}));
	await engagement.addLook(dated.toReversed(), fits);
	expect(refreshes.map(({ upload: its }) => its?.uploadId)).toEqual(['0', '2', '1']);
});

it('are the same in whatever case their IDs are listed', async () => {
	const engagement = new RefreshedEngagement(1);
	const [older, newer] = [upload(1, 'a'), upload(2, 'a')];
	await engagement.addLook([older], fits);
	engagement.baseline = engagement.looks;
	const refresh = engagement.addRefresh('a', options);
	const capital = { record: { ...older.record, uploadId: 'U1' } };
	await engagement.addLook([capital, newer], fits);
	expect(refresh.upload).toBe(newer.record);
});

it('are found in time that grows with their number', async () => {
	const timeFor = async (count: number) => {
		const engagement = new RefreshedEngagement(1);
		for (let number = 0; number < count; number++) engagement.addRefresh('a', options);
		const uploads = Array.from({ length: count }, (_, number) => upload(number, 'a'));
		const milliseconds = startCpuTime();
		for (let looks = 0; looks < 3; looks++) await engagement.addLook(uploads, fits);
		return milliseconds();
	};
	await timeFor(1000);
	const [small, large] = [await timeFor(2_500), await timeFor(20_000)];
	expect(large).toBeLessThan(8 * 4 * Math.max(small, 10));
});

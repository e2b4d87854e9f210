import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import type { KindName } from '../../nodes/EngagementUploads/service/records.ts';
import { listSteps } from '../../nodes/EngagementUploads/service/shape.ts';
import { simplify, splitSteps } from '../../nodes/EngagementUploads/service/simplified.ts';
import { samples } from '../support/kinds.mts';

const source = { zone: 'Europe/London', engagementId: 7 };
const examples = Object.entries(samples).map(([name, { fields, record, simple }]) => ({
	shape: name as KindName,
	names: fields.split(', '),
	record: record as IDataObject,
	simple,
}));
const simpleOf = (record: unknown, shape: KindName) =>
	simplify(record as IDataObject, shape, source);

describe.each(examples)('a simplified $shape', ({ shape, names, record, simple }) => {
	it('has all documented fields, absent ones null', () => {
		const absent = Object.fromEntries(names.map((name) => [name, null]));
		const output = simpleOf(record, shape);
		const own = Object.keys(output).join(', ');
		if (own !== names.join(', '))
			throw new Error(
				`A simplified ${shape} now has the fields ${own}. If it should, enter them as “fields” of ${shape} in test/support/kinds.mts, a value of each new one in “record”, and what becomes of it in “simple”. Then run: npm run docs`,
			);
		expect(output).toEqual({ ...absent, ...simple });
	});

	it('has at most ten fields', () => {
		if (names.length > 10)
			throw new Error(
				`A simplified ${shape} has ${names.length} fields, and ten are the most that people and models take in. Leave one out in api/records.ts, and in test/support/kinds.mts; Raw and Selected Fields still return it. Then run: npm run docs`,
			);
	});

	it('is flat and complete whatever the service sends', () => {
		const nested = [
			...['Owner', 'Sme', 'profiles', 'steps', 'scopes', 'Id', 'status', 'type', 'created'],
		];
		const name = fc.constantFrom(...names, ...nested, ...Object.keys(record));
		const value = fc.oneof(fc.jsonValue(), fc.array(fc.record({ name: fc.jsonValue() })));
		const anyRecord = fc.array(fc.tuple(name, value)).map(Object.fromEntries);
		fc.assert(
			fc.property(anyRecord, (sent) => {
				const output = simpleOf(sent, shape);
				expect(Object.keys(output)).toEqual(names);
				const isFlat = (entry: unknown) =>
					entry === null || ['string', 'number', 'boolean'].includes(typeof entry);
				expect(Object.values(output).filter((entry) => !isFlat(entry))).toEqual([]);
			}),
		);
	});

	it('does not change the record', () => {
		const before = structuredClone(record);
		simpleOf(record, shape);
		expect(record).toEqual(before);
	});
});

describe('the engagement', () => {
	it.each([
		[{ Id: '1002' }, 1002],
		[{ id: 1003 }, 1003],
		[{ engagementId: 1004, Id: 1 }, 1004],
		[{ Id: 'not-a-number' }, 'not-a-number'],
		[{ Id: '1001a' }, '1001a'],
		[{ Id: 'a1001' }, 'a1001'],
		[{}, 7],
	])('of %j is named engagementId', (record, engagementId) => {
		expect(simpleOf(record, 'engagement')).toMatchObject({ engagementId });
	});

	it.each(['company', 'period', 'workflow'] as const)(
		'that was requested is added to a %s that does not name it',
		(shape) => {
			expect(simpleOf({}, shape)).toMatchObject({ engagementId: 7 });
			expect(simpleOf({ engagementId: 8 }, shape)).toMatchObject({ engagementId: 8 });
			expect(simplify({}, shape, { zone: 'UTC' })).toMatchObject({ engagementId: null });
		},
	);

	it('is also read in the form of a created one', () => {
		expect(simpleOf({ Id: '9', email: 'a@example.com' }, 'engagement')).toMatchObject({
			engagementId: 9,
			ownerEmail: 'a@example.com',
		});
	});
});

it.each([
	['0', 'online'],
	['1', 'offline'],
	[0, 'online'],
	[1, 'offline'],
	['2', '2'],
	[undefined, null],
])('the connector type %j is %j', (type, output) => {
	expect(simpleOf({ type }, 'connector')).toMatchObject({ type: output });
});

it('a status is taken from the second field if the first is empty', () => {
	const record = { uploadStatus: null, status: 'LOADING' };
	expect(simpleOf(record, 'upload')).toMatchObject({ uploadStatus: 'LOADING' });
});

it('names the scopes of a connector even if they are objects', () => {
	const scopes = [{ name: 'Full' }, {}, { name: null }, 'Collateral'];
	expect(simpleOf({ scopes }, 'connector')).toMatchObject({ scopes: 'Full, Collateral' });
});

it.each([
	[[{ name: 'Admin' }, {}, { name: 'Reader' }], 'Admin, Reader'],
	[{ name: 'Admin' }, 'Admin'],
	[['Admin', null, 'Reader'], 'Admin, Reader'],
	[[], ''],
	[null, null],
])('the roles of a user with the profiles %j are %j', (profiles, roles) => {
	expect(simpleOf({ profiles }, 'user')).toMatchObject({ roles });
});

describe('the steps of a workflow', () => {
	it.each([[undefined], [null], [[]], ['none']])('are none in %j', (steps) => {
		expect(simpleOf({ steps }, 'workflow')).toMatchObject({
			stepCount: 0,
			currentStep: null,
			currentStepStatus: null,
		});
	});

	it.each([null, undefined, ''])('have no current one before the first is started', (started) => {
		const steps = [{ name: 'first', status: 'WAITING', sorting: 1, started }];
		expect(simpleOf({ steps }, 'workflow')).toMatchObject({ stepCount: 1, currentStep: null });
	});

	it('are in the order of the process, whatever their form', () => {
		const [first, second] = [
			{ name: 'first', sorting: '1' },
			{ name: 'second', sorting: 2 },
		];
		const tenth = { name: 'tenth', sorting: 10 };
		const sent = [tenth, second, first];
		expect(listSteps({ steps: sent })).toEqual([first, second, tenth]);
		expect(sent).toEqual([tenth, second, first]);
		expect(listSteps({ steps: first })).toEqual([first]);
		expect(listSteps({ steps: [null, first, 'text'] })).toEqual([first]);
		expect(listSteps({ steps: null })).toEqual([]);
	});

	it('without a readable position come first, unchanged', () => {
		const sorting = { toString: 9, valueOf: 9 };
		const steps = [{ name: 'a', sorting: 1 }, { name: 'b', sorting }, { name: 'c' }];
		expect(listSteps({ steps }).map(({ name }) => name)).toEqual(['b', 'c', 'a']);
	});

	it('that are split have their dates as ISO 8601, and no additional fields', () => {
		const step = {
			name: 'Extract',
			created: '2026-07-01T10:00:00',
			started: '2026-07-01T10:00:05',
			lastUpdate: '2026-07-01T10:00:09',
		};
		expect(splitSteps({ steps: [step] }, 'Europe/London')).toEqual([
			{
				name: 'Extract',
				created: '2026-07-01T09:00:00.000Z',
				started: '2026-07-01T09:00:05.000Z',
				lastUpdate: '2026-07-01T09:00:09.000Z',
			},
		]);
		expect(splitSteps({ steps: [{ name: 'Load' }] }, 'UTC')).toEqual([{ name: 'Load' }]);
	});
});

/** The three forms of output: simplified, raw, and selected fields. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import {
	simplify,
	toOutput,
	type OutputChoice,
} from '../../nodes/EngagementUploads/service/kind.ts';
import { kinds, type KindName } from '../../nodes/EngagementUploads/service/records.ts';
import { listSteps } from '../../nodes/EngagementUploads/service/uploadRecords.ts';

const source = { zone: 'Europe/London', engagementId: 7 };
const names = Object.keys(kinds) as KindName[];
const toSimple = (record: unknown, kind: KindName) =>
	simplify(record as IDataObject, kinds[kind], source);

/** Values are shown by the previews. */
describe.each(names)('a simplified %s', (kind) => {
	const simplified = toSimple({}, kind);

	it('has at most ten fields, absent ones null', () => {
		const { engagementId: _, stepCount: _count, ...others } = simplified;
		expect(new Set(Object.values(others))).toEqual(new Set([null]));
		if (Object.keys(simplified).length > 10)
			throw new Error(
				'Ten fields are the most that people and models take in: leave one out in service/records.ts. Raw and Selected Fields still return it.',
			);
	});

	it('is flat and complete whatever the service sends, and the record stays as it is', () => {
		const nested = ['Owner', 'Sme', 'profiles', 'steps', 'scopes', 'Id', 'status', 'type'];
		const sentNames = Object.keys(kinds[kind].fields);
		const name = fc.constantFrom(...Object.keys(simplified), ...nested, ...sentNames);
		const value = fc.oneof(fc.jsonValue(), fc.array(fc.record({ name: fc.jsonValue() })));
		const anyRecord = fc.array(fc.tuple(name, value)).map(Object.fromEntries);
		fc.assert(
			fc.property(anyRecord, (sent) => {
				const before = structuredClone(sent);
				const output = toSimple(sent, kind);
				expect(sent).toEqual(before);
				expect(Object.keys(output)).toEqual(Object.keys(simplified));
				const isFlat = (entry: unknown) =>
					entry === null || ['string', 'number', 'boolean'].includes(typeof entry);
				expect(Object.values(output).filter((entry) => !isFlat(entry))).toEqual([]);
			}),
		);
	});
});

const ofEngagement = ['company', 'period', 'workflow', 'upload', 'lastUpload'] as const;

it.each(ofEngagement)('the requested engagement is added to a %s that does not name it', (kind) => {
	expect(toSimple({}, kind)).toMatchObject({ engagementId: 7 });
	expect(toSimple({ engagementId: 8 }, kind)).toMatchObject({ engagementId: 8 });
	// Their own ID is not that of their engagement.
	expect(toSimple({ id: 9, Id: 9 }, kind)).toMatchObject({ engagementId: 7 });
});

it.each<[KindName, object, object]>([
	['engagement', { Id: '1002' }, { engagementId: 1002 }],
	['engagement', { engagementId: 1004, Id: 1 }, { engagementId: 1004 }],
	['engagement', { Id: '1001a' }, { engagementId: '1001a' }],
	['engagement', {}, { engagementId: 7 }],
	['createdEngagement', { Owner: { email: 'a@example.com' } }, { email: null }],
	['engagement', { dataRefreshEnabled: 'no' }, { dataRefreshEnabled: false }],
	['connector', { id: '012' }, { id: '012' }],
	['connector', { isRefreshable: 'perhaps' }, { isRefreshable: 'perhaps' }],
	['connector', { type: 1 }, { type: 'offline' }],
	['connector', { type: '2' }, { type: '2' }],
	[
		'connector',
		{ scopes: [{ name: 'Full' }, {}, { name: null }, 'Part'] },
		{ scopes: 'Full, Part' },
	],
	['upload', { uploadStatus: null, status: 'LOADING' }, { uploadStatus: 'LOADING' }],
	['user', { profiles: [{ name: 'Admin' }, {}, { name: 'Reader' }] }, { roles: 'Admin, Reader' }],
	['workflow', { steps: 'none' }, { stepCount: 0, currentStep: null, currentStepStatus: null }],
])('a simplified %s of %j contains %j', (kind, record, simple) => {
	expect(toSimple(record, kind)).toMatchObject(simple);
});

it.each([
	['the first that failed', ['COMPLETED', 'OPEN', 'FAILED', 'ABORTED'], 'FAILED'],
	['else the first that has not completed', ['COMPLETED', 'LOADING', 'PENDING'], 'LOADING'],
	['the last one if all have completed', ['DONE', 'COMPLETED'], 'COMPLETED'],
])('the current step is %s', (_, statuses, currentStepStatus) => {
	const steps = statuses.map((status, sorting) => ({ status, sorting }));
	expect(toSimple({ steps: steps.reverse() }, 'workflow')).toMatchObject({ currentStepStatus });
});

it('the steps of a workflow are in the order of the process', () => {
	const [first, second] = [
		{ name: 'first', sorting: '1' },
		{ name: 'second', sorting: 2 },
	];
	const tenth = { name: 'tenth', sorting: 10 };
	expect(listSteps({ steps: [tenth, second, first] })).toEqual([first, second, tenth]);
	const odd = { name: 'odd', sorting: { valueOf: 9 } };
	expect(listSteps({ steps: [null, first, 'text', odd] })).toEqual([odd, first]);
});

it('raw is exactly what the service sent, as a copy', () => {
	const name = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'Id', 'uploadId'));
	const kind = fc.constantFrom(...names);
	fc.assert(
		fc.property(fc.dictionary(name, fc.jsonValue()), kind, (sent, each) => {
			const output = toOutput(sent as IDataObject, kinds[each], { output: 'raw' }, source);
			expect(JSON.stringify(output)).toBe(JSON.stringify(sent));
			expect(output).not.toBe(sent);
		}),
	);
});

describe('selected fields', () => {
	const engagement = {
		Id: 1001,
		Owner: { email: 'owner@example.com', firstName: 'Ann' },
		createdAt: '2026-07-01T10:15:30',
	};
	const select = (record: IDataObject, fields: string[], kind: KindName = 'engagement') => {
		const choice: OutputChoice = { output: 'selectedFields', fields };
		return toOutput(record, kinds[kind], choice, source);
	};

	it('are returned by name after the ID, in order, from the raw or the simplified record', () => {
		const fields = ['ownerEmail', 'Id', 'Owner.firstName', 'Owner.email', 'nothing', 'toString'];
		expect(Object.entries(select(engagement, fields))).toEqual([
			['engagementId', 1001],
			['ownerEmail', 'owner@example.com'],
			['Id', 1001],
			['Owner.firstName', 'Ann'],
			['Owner.email', 'owner@example.com'],
			['nothing', null],
			['toString', null],
		]);
	});

	it.each<[KindName, ids: string[]]>([
		['company', ['engagementId']],
		['connector', ['id']],
		['createdEngagement', ['engagementId']],
		['engagement', ['engagementId']],
		['lastUpload', ['uploadId', 'engagementId']],
		['period', ['periodId']],
		['upload', ['uploadId']],
		['user', ['id']],
		['workflow', ['uploadId']],
	])('of a %s come after %j', (kind, ids) => {
		const record = Object.fromEntries(ids.map((id) => [id, '1']));
		expect(Object.keys(select(record, ['nothing'], kind))).toEqual([...ids, 'nothing']);
		expect(Object.keys(select(record, ['nothing', ...ids], kind))).toHaveLength(ids.length + 1);
	});

	it('are those of the simplified record if both records have them', () => {
		expect(select(engagement, ['createdAt'])).toMatchObject({
			createdAt: '2026-07-01T09:15:30.000Z',
		});
		expect(select({ type: '0' }, ['type'], 'connector')).toEqual({ id: null, type: 'online' });
		expect(select({ Id: 1, createdAt: 'null' }, ['createdAt'])).toMatchObject({ createdAt: null });
	});

	it.each<[KindName, object, name: string, printed: unknown]>([
		['user', { createdAt: 1772360130123 }, 'createdAt', '2026-03-01T10:15:30.123Z'],
		['upload', { active: 'TRUE' }, 'active', true],
		['user', { phone: '0207' }, 'phone', '0207'],
		[
			'workflow',
			{ steps: [{ started: '2026-07-01T10:15:30' }, {}, { started: null }] },
			'steps.started',
			['2026-07-01T09:15:30.000Z', null],
		],
	])('are printed as documented: %s %j', (kind, record, name, printed) => {
		expect(select(record as IDataObject, [name], kind)[name]).toEqual(printed);
	});

	it('keep a value that is false, zero, empty or null', () => {
		const record = { a: false, b: 0, c: '', d: null, e: [] };
		expect(select(record, ['a', 'b', 'c', 'd', 'e'])).toEqual({ engagementId: 7, ...record });
	});

	it('are always the IDs and exactly those that were selected', () => {
		const special = fc.constantFrom('Id', 'Owner', 'Owner.email', '__proto__', 'engagementId');
		const anyFields = fc.uniqueArray(fc.oneof(fc.string(), special), { minLength: 1 });
		fc.assert(
			fc.property(anyFields, (fields) => {
				const output = select(engagement, fields);
				const expected = [...new Set(['engagementId', ...fields])];
				expect(Object.keys(output).sort()).toEqual(expected.toSorted());
				expect(Object.getPrototypeOf(output)).toBe(Object.prototype);
			}),
		);
	});
});

import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { toOutput, type OutputChoice } from '../../nodes/EngagementUploads/service/outputMapper.ts';
import type { KindName } from '../../nodes/EngagementUploads/service/records.ts';
import { samples } from '../support/kinds.mts';

const source = { zone: 'Europe/London', engagementId: 7 };
const shapeNames = Object.keys(samples) as KindName[];
const engagement = samples.engagement.record as IDataObject;

const shapedAs = (record: IDataObject, choice: OutputChoice, shape: KindName = 'engagement') =>
	toOutput(record, shape, choice, source);
const selected = (...fields: string[]): OutputChoice => ({ output: 'selectedFields', fields });

describe('raw', () => {
	it('is exactly what the service sent', () => {
		const record = fc.dictionary(
			fc.oneof(fc.string(), fc.constantFrom('__proto__', 'Id', 'uploadId')),
			fc.jsonValue(),
		);
		fc.assert(
			fc.property(record, fc.constantFrom(...shapeNames), (sent, shape) => {
				const output = toOutput(sent as IDataObject, shape, { output: 'raw' }, source);
				expect(JSON.stringify(output)).toBe(JSON.stringify(sent));
			}),
		);
	});

	it('is a copy, so that two items do not share one', () => {
		const output = shapedAs(engagement, { output: 'raw' });
		expect(output).toEqual(engagement);
		expect(output).not.toBe(engagement);
	});
});

describe('selected fields', () => {
	it('are returned by name, in order, from the raw or the simplified record', () => {
		const output = shapedAs(
			engagement,
			selected('ownerEmail', 'Id', 'Owner.firstName', 'Sme.name'),
		);
		expect(Object.entries(output)).toEqual([
			['ownerEmail', 'owner@example.com'],
			['Id', 1001],
			['Owner.firstName', 'Ann'],
			['Sme.name', 'ACME'],
		]);
	});

	it('are those of the simplified record if both records have them', () => {
		expect(shapedAs(engagement, selected('createdAt', 'engagementId'))).toEqual({
			createdAt: '2026-07-01T09:15:30.000Z',
			engagementId: 1001,
		});
		expect(shapedAs({ type: '0' }, selected('type'), 'connector')).toEqual({ type: 'online' });
	});

	it('are found in any case if no name matches exactly, and returned under the name entered', () => {
		expect(shapedAs(engagement, selected('OWNEREMAIL', 'owner.EMAIL', 'sme.name'))).toEqual({
			OWNEREMAIL: 'owner@example.com',
			'owner.EMAIL': 'owner@example.com',
			'sme.name': 'ACME',
		});
		const record = { Memo: 'exact', memo: 'other', ID: 1 };
		expect(shapedAs(record, selected('Memo', 'memo', 'MEMO', 'iD'))).toEqual({
			Memo: 'exact',
			memo: 'other',
			MEMO: 'exact',
			iD: 1,
		});
	});

	it('are exact in the raw record rather than in another case in the simplified one', () => {
		expect(shapedAs({ Status: 'raw', status: 'simple' }, selected('Status'))).toEqual({
			Status: 'raw',
		});
	});

	it('are reported, with whether the record has them', () => {
		const onField = jest.fn();
		const record = { name: null, Id: 1 };
		toOutput(record, 'engagement', selected('name', 'nothing', 'Id'), source, onField);
		expect(onField.mock.calls).toEqual([
			['name', true],
			['nothing', false],
			['Id', true],
		]);
	});

	it('are null if no record has them', () => {
		const names = ['nothing', 'Owner.nothing', 'constructor', 'toString'];
		expect(shapedAs(engagement, selected(...names))).toEqual(
			Object.fromEntries(names.map((name) => [name, null])),
		);
	});

	it('keep a value that is false, zero, empty or null', () => {
		const record = { a: false, b: 0, c: '', d: null, e: [] };
		expect(shapedAs(record, selected('a', 'b', 'c', 'd', 'e'))).toEqual(record);
	});

	it('are always exactly those that were selected', () => {
		const names = fc.uniqueArray(
			fc.oneof(fc.string(), fc.constantFrom('Id', 'Owner', 'Owner.email', '__proto__', 'smeName')),
			{ minLength: 1 },
		);
		fc.assert(
			fc.property(names, (fields) => {
				const output = shapedAs(engagement, selected(...fields));
				expect(Object.keys(output).sort()).toEqual([...fields].sort());
				expect(Object.getPrototypeOf(output)).toBe(Object.prototype);
			}),
		);
	});
});

import {
	isDeeperThan,
	mergeDeep,
	parseCollection,
	parseJson,
	parseObject,
	pickField,
	valueAt,
} from '../../nodes/EngagementUploads/values/objects.ts';

it('pickField takes the field of an object that has it, and otherwise the value', () => {
	expect(pickField({ uploadId: 'a', other: 1 }, 'uploadId')).toBe('a');
	expect(pickField({ other: 1 }, 'uploadId')).toEqual({ other: 1 });
	expect(pickField({}, 'toString')).toEqual({});
	expect(pickField(['a'], '0')).toEqual(['a']);
	expect(pickField('a', 'length')).toBe('a');
});

it('parseObject distinguishes invalid JSON from JSON that is not an object', () => {
	expect(() => parseObject('{"a":', 'Body')).toThrow(/^Body is not valid JSON$/);
	expect(() => parseObject('[1]', 'Body')).toThrow(/^Body is not a JSON object$/);
});

it.each([
	['a', 0, false],
	[null, 0, false],
	[{}, 0, true],
	[[], 1, false],
	[[1, [2]], 1, true],
	[[1, [2]], 2, false],
	[{ a: 1, b: { c: [] } }, 2, true],
	[{ a: 1, b: { c: [] } }, 3, false],
])('isDeeperThan of %j and %d levels is %s', (value, levels, isDeeper) => {
	expect(isDeeperThan(value, levels)).toBe(isDeeper);
});

it('parseJson returns undefined for what is not JSON', () => {
	expect(parseJson('{"a":[1]}')).toEqual({ a: [1] });
	expect(parseJson('{"a":')).toBeUndefined();
});

describe('parseCollection', () => {
	it('returns the fields, of which none may be unknown', () => {
		expect(parseCollection({ a: 1 }, 'Filters', ['a', 'b'])).toEqual({ a: 1 });
		expect(() => parseCollection({ a: 1, c: 2 }, 'Filters', ['a', 'b'])).toThrow(
			expect.objectContaining({
				message: 'Filters has no field “c”',
				advice: 'Use one or more of: a, b',
			}),
		);
	});

	it('accepts every field if none are named', () => {
		expect(parseCollection({ c: 2 }, 'Filters')).toEqual({ c: 2 });
		expect(parseCollection('', 'Filters')).toEqual({});
	});
});

describe('mergeDeep', () => {
	it('returns the other one if one is missing', () => {
		expect(mergeDeep(undefined, undefined)).toBeUndefined();
		expect(mergeDeep({ a: 1 }, undefined)).toEqual({ a: 1 });
		expect(mergeDeep(undefined, { a: 1 })).toEqual({ a: 1 });
	});

	it('merges objects at every depth, the second one taking precedence', () => {
		const base = { a: 1, sme: { name: 'Base', address: { city: 'Leeds', zip: '1' } } };
		const over = { b: 2, sme: { address: { zip: '2' }, phone: null } };
		expect(mergeDeep(base, over)).toEqual({
			a: 1,
			b: 2,
			sme: { name: 'Base', address: { city: 'Leeds', zip: '2' }, phone: null },
		});
	});

	it.each([
		[{ a: { b: 1 } }, { a: [2] }, { a: [2] }],
		[{ a: [1, 2] }, { a: [3] }, { a: [3] }],
		[{ a: 1 }, { a: { b: 2 } }, { a: { b: 2 } }],
		[{ a: { b: 1 } }, { a: null }, { a: null }],
	])('replaces values that are not both objects: %j with %j', (base, over, merged) => {
		expect(mergeDeep(base, over)).toEqual(merged);
	});

	it('changes neither object', () => {
		const [base, over] = [{ a: { b: 1 } }, { a: { c: 2 } }];
		mergeDeep(base, over);
		expect([base, over]).toEqual([{ a: { b: 1 } }, { a: { c: 2 } }]);
	});

	it('treats names that every object inherits as plain fields', () => {
		const over = JSON.parse('{"__proto__":{"a":1},"toString":{"b":2}}') as { toString: never };
		const merged = mergeDeep({ c: 3 }, over);
		expect(JSON.stringify(merged)).toBe('{"c":3,"__proto__":{"a":1},"toString":{"b":2}}');
		expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
	});

	it('leaves fields that can be changed and removed', () => {
		const merged = mergeDeep({ a: 1 }, { a: 2, b: 3 }) ?? {};
		merged.a = 4;
		delete merged.b;
		expect(merged).toEqual({ a: 4 });
	});
});

describe('valueAt', () => {
	it('returns the value of a field, even an empty one', () => {
		expect(valueAt({ name: 'a', other: 'b' }, 'name')).toBe('a');
		expect(valueAt({ name: null }, 'name')).toBeNull();
		expect(valueAt({ name: 'a' }, 'missing')).toBeUndefined();
		expect(valueAt({ nam: { name: 'a' } }, 'name')).toBeUndefined();
	});

	it('follows a dotted name into nested objects', () => {
		const record = { Owner: { address: { city: 'Leeds' }, email: 'a@b.example' } };
		expect(valueAt(record, 'Owner.email')).toBe('a@b.example');
		expect(valueAt(record, 'Owner.address.city')).toBe('Leeds');
		expect(valueAt(record, 'Owner.address.missing')).toBeUndefined();
		expect(valueAt(record, 'Missing.email')).toBeUndefined();
		expect(valueAt(record, 'Owner.email.length')).toBeUndefined();
	});

	it('prefers a field whose own name contains the dot', () => {
		expect(valueAt({ 'a.b': 1, a: { b: 2 } }, 'a.b')).toBe(1);
		expect(valueAt({ '.b': 1, '': { b: 2 } }, '.b')).toBe(1);
		expect(valueAt({ '': { b: 2 } }, '.b')).toBe(2);
	});

	it('collects the values of a list, and is undefined if there are none', () => {
		const record = { steps: [{ name: 'a' }, { other: 1 }, { name: null }] };
		expect(valueAt(record, 'steps.name')).toEqual(['a', null]);
		expect(valueAt(record, 'steps.missing')).toBeUndefined();
		expect(valueAt({ steps: [] }, 'steps.name')).toBeUndefined();
	});

	it('ignores the case of names only where it is asked to', () => {
		const record = { Owner: { Email: 'a@b.example' }, name: 'first', Name: 'second' };
		expect(valueAt(record, 'owner.email', true)).toBe('a@b.example');
		expect(valueAt(record, 'owner.email')).toBeUndefined();
		expect(valueAt(record, 'NAME', true)).toBe('first');
		expect(valueAt(record, 'Name', true)).toBe('second');
	});

	it.each(['toString', 'constructor.name', '__proto__'])('ignores the inherited %s', (name) => {
		expect(valueAt({}, name)).toBeUndefined();
	});
});

import { mergeDeep, valueAt } from '../../nodes/EngagementUploads/values/objects.ts';

describe('mergeDeep', () => {
	it('merges objects at every depth, the second one taking precedence, and changes neither', () => {
		const base = { a: 1, sme: { name: 'Base', address: { city: 'Leeds', zip: '1' } } };
		const over = { b: 2, sme: { address: { zip: '2' }, phone: null } };
		const before = structuredClone([base, over]);
		expect(mergeDeep(base, over)).toEqual({
			a: 1,
			b: 2,
			sme: { name: 'Base', address: { city: 'Leeds', zip: '2' }, phone: null },
		});
		expect([base, over]).toEqual(before);
	});

	it.each([
		[{ a: { b: 1 } }, { a: [2] }, { a: [2] }],
		[{ a: [1, 2] }, { a: [3] }, { a: [3] }],
		[{ a: 1 }, { a: { b: 2 } }, { a: { b: 2 } }],
		[{ a: { b: 1 } }, { a: null }, { a: null }],
	])('replaces values that are not both objects: %j with %j', (base, over, merged) => {
		expect(mergeDeep(base, over)).toEqual(merged);
	});
});

describe('valueAt', () => {
	it('follows a dotted name into nested objects', () => {
		const record = { Owner: { address: { city: 'Leeds' }, email: 'a@b.example' } };
		expect(valueAt(record, 'Owner.address.city')).toBe('Leeds');
		expect(valueAt(record, 'Owner.address.missing')).toBeUndefined();
		expect(valueAt(record, 'Owner.email.length')).toBeUndefined();
		expect(valueAt(record, 'owner.email')).toBeUndefined();
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
});

import { mergeDeep, valueAt } from '../../nodes/EngagementUploads/values/objects.ts';

it('objects are merged at every depth, the second one taking precedence, and neither is changed', () => {
	const base = { a: 1, sme: { name: 'Base', address: { city: 'Leeds', zip: '1' } }, list: [1, 2] };
	const over = { b: 2, sme: { address: { zip: '2' }, phone: null }, list: [3] };
	const before = structuredClone([base, over]);
	expect(mergeDeep(base, over)).toEqual({
		a: 1,
		b: 2,
		sme: { name: 'Base', address: { city: 'Leeds', zip: '2' }, phone: null },
		list: [3],
	});
	expect([base, over]).toEqual(before);
});

it('a dotted name leads into nested objects, and through lists', () => {
	const record = {
		Owner: { address: { city: 'Leeds' }, email: 'a@b.example' },
		steps: [{ name: 'a' }, { other: 1 }, { name: null }],
	};
	expect(valueAt(record, 'Owner.address.city')).toBe('Leeds');
	expect(valueAt(record, 'Owner.address.missing')).toBeUndefined();
	expect(valueAt(record, 'Owner.email.length')).toBeUndefined();
	expect(valueAt(record, 'steps.name')).toEqual(['a', null]);
	expect(valueAt(record, 'steps.missing')).toBeUndefined();
	expect(valueAt({ 'a.b': 1, a: { b: 2 } }, 'a.b')).toBe(1);
});

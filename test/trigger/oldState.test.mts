import {
	convertOldState,
	digest,
	isFromSource,
	isOldState,
} from '../../nodes/EngagementUploads/trigger/oldState.ts';
import { initialState } from '../../nodes/EngagementUploads/trigger/state.ts';
import type { FilterRule } from '../../nodes/EngagementUploads/fields/uploadFilters.ts';

const filter: FilterRule[] = [['uploadType', ['full']]];
const identity = { event: 'uploadCompleted', client: 'client', start: 'start' };
const source = '["https://service.example","client","now"]';
const old = {
	...{ version: 1 as const, source: digest(source), filter: digest(JSON.stringify(filter)) },
	...{ mark: 50, since: 10, isInstant: true },
	noted: {
		emitted: { time: 20 },
		filteredOut: { time: 30, passedOver: true },
		unreadable: { time: 'soon' },
		broken: 7,
	},
};

it.each([undefined, null, {}, [], { ...old, version: 2 }, { ...old, noted: [] }])(
	'%j is not a state of 0.1.0',
	(value) => expect(isOldState(value)).toBe(false),
);

it('a state of 0.1.0 is one, and belongs to its service, client and start', () => {
	expect(isOldState(old)).toBe(true);
	expect(isFromSource(old, { ...identity, source, filter })).toBe(true);
	expect(isFromSource(old, { ...identity, source: 'another', filter })).toBe(false);
});

it.each([
	{ given: filter, seen: { emitted: 20 }, filteredOut: { filteredOut: 30 } },
	{ given: [], seen: { emitted: 20, filteredOut: 30 }, filteredOut: {} },
])('is converted with what its filter excluded, if the filter is the same: %j', (expected) => {
	const { given, seen, filteredOut } = expected;
	expect(convertOldState(old, { ...identity, source, filter: given })).toEqual({
		...initialState(identity, given),
		...{ mark: 50, previous: 50, since: 10, isInstant: true, seen, filteredOut },
	});
});

it('is not converted for an event that 0.1.0 did not have', () => {
	const started = { ...identity, event: 'uploadStarted', source, filter };
	expect(convertOldState(old, started)).toBeUndefined();
});

it('a fingerprint is short, and always the same', () => {
	expect(digest('text')).toBe('mC2ePrmW9VnmM_TR');
});

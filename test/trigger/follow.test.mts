import fc from 'fast-check';
import { isFailedStatus } from '../../nodes/EngagementUploads/api/uploadStatus.ts';
import {
	advanceFollowing,
	followBaseline,
	isFollowed,
	type Following,
} from '../../nodes/EngagementUploads/trigger/follow.ts';
import type { SeenUpload } from '../../nodes/EngagementUploads/trigger/upload.ts';
import { changed, failed, followingWith, freshState, NOW, wholeReading } from './pollSetup.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const shown = (
	id: string,
	uploadStatus: string,
	completionDate: number | null = null,
): SeenUpload => ({
	id,
	time: NOW,
	isInstant: true,
	record: { uploadId: id, uploadStatus, completionDate },
});
const reading = (uploads: SeenUpload[], serviceTime = NOW) =>
	wholeReading(uploads, { isRestarted: true, serviceTime });
const following = (rule: Following['rule'], now = NOW) => followingWith({ rule, now });
const fresh = freshState('uploadStatusChanged');

it('follows until the look-back has passed after the end, but no longer than Follow For', () => {
	const given = { lookback: 2 * HOUR, followFor: DAY };
	const entry = { time: NOW, status: 'X' };
	expect(isFollowed(entry, { ...given, now: NOW + DAY })).toBe(true);
	expect(isFollowed(entry, { ...given, now: NOW + DAY + 1 })).toBe(false);
	const ended = { ...entry, end: NOW + HOUR };
	expect(isFollowed(ended, { ...given, now: NOW + 3 * HOUR })).toBe(true);
	expect(isFollowed(ended, { ...given, now: NOW + 3 * HOUR + 1 })).toBe(false);
});

it('emits nothing for existing uploads', () => {
	const state = followBaseline(
		fresh,
		reading([shown('a', 'FAILED'), shown('b', 'LOADING')]),
		following(failed),
	);
	const now = [shown('a', 'ABORTED'), shown('b', 'ABORTED')];
	const { emit } = advanceFollowing(state, reading(now), following(failed));
	expect(emit.map(({ upload }) => upload.id)).toEqual(['b']);
});

it('assumes that an upload ended between the polls, whatever the zone of its dates', () => {
	const state = followBaseline(fresh, reading([shown('a', 'LOADING')]), following(changed));
	const later = NOW + 10 * MINUTE;
	for (const completion of [NOW - 9 * HOUR, NOW + 5 * MINUTE, NOW + 9 * HOUR]) {
		const done = reading([shown('a', 'COMPLETED', completion)], later);
		const { next } = advanceFollowing(state, done, following(changed, later));
		const end = next.followed.a?.end ?? 0;
		expect(end).toBe(Math.min(later, Math.max(NOW, completion)));
	}
});

it('forgets uploads that are no longer listed, and those that ended long ago', () => {
	const state = followBaseline(
		fresh,
		reading([shown('a', 'LOADING'), shown('b', 'LOADING')]),
		following(changed),
	);
	const gone = advanceFollowing(state, reading([shown('b', 'LOADING')]), following(changed), [
		'a',
	]).next;
	expect(Object.keys(gone.followed)).toEqual(['b']);
	const late = advanceFollowing(gone, reading([]), following(changed, NOW + 8 * DAY)).next;
	expect(late.followed).toEqual({});
});

it('emits each status once, in whatever order polls see them', () => {
	const status = fc.constantFrom('LOADING', 'PROCESSING', 'COMPLETED', 'FAILED', 'ABORTED');
	const looks = fc.array(fc.dictionary(fc.constantFrom('a', 'b', 'c'), status), { maxLength: 12 });
	fc.assert(
		fc.property(looks, fc.integer({ min: 1, max: 3 }), (given, maxUploads) => {
			let [all, once] = [fresh, { ...fresh, event: 'uploadFailed' }];
			const lastStatus = new Map<string, string>();
			const failures: string[] = [];
			let current: Record<string, string> = {};
			// In the end, nothing changes any more, and everything has been emitted.
			for (const look of [...given, {}, {}, {}]) {
				current = { ...current, ...look };
				const uploads = Object.entries(current).map(([id, each]) => shown(id, each));
				const changes = advanceFollowing(all, reading(uploads), {
					...following(changed),
					maxUploads,
				});
				for (const { upload, previousStatus } of changes.emit) {
					expect(previousStatus).toBe(lastStatus.get(upload.id) ?? null);
					lastStatus.set(upload.id, String(upload.record.uploadStatus));
				}
				const step = advanceFollowing(once, reading(uploads), { ...following(failed), maxUploads });
				failures.push(...step.emit.map(({ upload }) => upload.id));
				[all, once] = [changes.next, step.next];
			}
			expect(Object.fromEntries(lastStatus)).toEqual(current);
			expect(new Set(failures).size).toBe(failures.length);
			const failing = Object.keys(current).filter((id) => isFailedStatus(current[id] ?? ''));
			expect(failures).toEqual(expect.arrayContaining(failing));
		}),
	);
});

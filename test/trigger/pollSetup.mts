/** What a poll starts from, reads and follows, for tests of what it emits. */
import { uploadFailed } from '../../nodes/EngagementUploads/trigger/events/uploadFailed.event.ts';
import { uploadStatusChanged } from '../../nodes/EngagementUploads/trigger/events/uploadStatusChanged.event.ts';
import type { Following } from '../../nodes/EngagementUploads/trigger/follow.ts';
import type { Reading } from '../../nodes/EngagementUploads/trigger/progress.ts';
import { initialState, type CursorState } from '../../nodes/EngagementUploads/trigger/state.ts';
import type { SeenUpload } from '../../nodes/EngagementUploads/trigger/upload.ts';

const HOUR = 3_600_000;

export const NOW = Date.UTC(2026, 5, 15, 10);
export const changed = uploadStatusChanged.follow as Following['rule'];
export const failed = uploadFailed.follow as Following['rule'];

/** The state before the first poll. */
export const freshState = (event: string): CursorState =>
	initialState({ event, client: 'client', start: 'start' }, []);

/** Everything that is listed, in no order. */
export const wholeReading = (uploads: SeenUpload[], given: Partial<Reading> = {}): Reading => ({
	...{ uploads, isWhole: true, isOldestFirst: false, serviceTime: NOW },
	...given,
});

export const followingWith = (given: Partial<Following>): Following => ({
	...{ rule: changed, now: NOW, followFor: 7 * 24 * HOUR, zone: 'UTC', lookback: 2 * HOUR },
	...{ maxUploads: 1000, matches: () => true, wasExcluded: () => false },
	...given,
});

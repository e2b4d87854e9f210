/**
 * A small world as plain data: what the service shows, in whole hours, and what may happen to it.
 * Every step gives a new world, so that worlds can be compared and kept.
 */
import type { EventName } from '../histories/history.mts';
import type { NodeStep } from './polls.mts';

/** Hours since the world began. */
export type Hour = number;

export interface SmallUpload {
	createdAt: Hour;
	completedAt: Hour | null;
	status: string;
	/** How long after its completion it was first shown as completed. */
	completedLate?: Hour;
	/** When it first ended, good or bad. */
	endedAt?: Hour;
	/** The same, if it had ended before it got its present status. */
	endedBefore?: Hour;
	isDeleted?: true;
}

/** What a service does with `orderBy`. */
export type Ordering = 'honoured' | 'ignored' | 'refused';

export interface SmallWorld {
	now: Hour;
	ordering: Ordering;
	/** null: not there yet */
	uploads: Array<SmallUpload | null>;
}

/** A world at its beginning, and what may happen in it. */
export interface Plan {
	name: string;
	event: EventName;
	uploads: Array<SmallUpload | null>;
	/** What may happen to each upload. */
	changes: ChangeName[][];
	orderings: Ordering[];
	/** What else may happen to the trigger, besides quiet polls and restarts. */
	disturbances: Array<NodeStep['do']>;
	durable: boolean;
	startFrom: 'now' | 'beginning';
	maxUploads: number;
	pageSize: number;
	lastHour: Hour;
	/** How many steps are explored. */
	depth: number;
}

/** The look-back, Follow For and Stuck After of all worlds. */
export const LOOKBACK = 1;
export const FOLLOW_FOR = 6;
export const STUCK_AFTER = 2;

const FAILED = 'FAILED';

type Change = (upload: SmallUpload, now: Hour) => Partial<SmallUpload> | undefined;

const isOpen = ({ completedAt, status }: SmallUpload) => completedAt === null && status !== FAILED;

/** What may happen to an upload; undefined: not to this one. */
const changes = {
	process: ({ status }) => (status === 'LOADING' ? { status: 'PROCESSING' } : undefined),
	reload: ({ status }) => (status === 'PROCESSING' ? { status: 'LOADING' } : undefined),
	complete: (upload, now) =>
		isOpen(upload) ? { status: 'COMPLETED', completedAt: now } : undefined,
	completeLate: (upload, now) =>
		isOpen(upload) && upload.createdAt < now
			? { status: 'COMPLETED', completedAt: now - 1 }
			: undefined,
	fail: ({ status }) => (status === FAILED ? undefined : { status: FAILED }),
	abort: (upload, now) => (isOpen(upload) ? { status: FAILED, completedAt: now } : undefined),
	recover: ({ status, completedAt }, now) =>
		status === FAILED ? { status: 'COMPLETED', completedAt: completedAt ?? now } : undefined,
	archive: ({ status }) => (status === 'COMPLETED' ? { status: 'ARCHIVED' } : undefined),
	move: ({ completedAt }, now) =>
		completedAt !== null && completedAt < now ? { completedAt: now } : undefined,
	remove: () => ({ isDeleted: true }),
} satisfies Record<string, Change>;

export type ChangeName = 'start' | 'startLate' | keyof typeof changes;

/** An upload that was there before. */
export function oldUpload(hour: Hour, completedAt: Hour | null = hour): SmallUpload {
	const status = completedAt === null ? 'LOADING' : 'COMPLETED';
	const end = completedAt === null ? {} : { endedAt: completedAt };
	return { createdAt: hour, completedAt, status, ...end };
}

/** The upload after a change; undefined if that cannot happen to it. */
export function changed(
	upload: SmallUpload | null,
	name: ChangeName,
	now: Hour,
): SmallUpload | undefined {
	if (name === 'start' || name === 'startLate') {
		const createdAt = name === 'start' ? now : now - 1;
		return upload === null ? oldUpload(createdAt, null) : undefined;
	}
	if (upload === null || upload.isDeleted) return undefined;
	const change = changes[name](upload, now);
	if (change === undefined) return undefined;
	const next: SmallUpload = { ...upload, ...change };
	if (!isOpen(next)) next.endedAt ??= next.completedAt ?? now;
	if (next.status !== upload.status && upload.endedAt !== undefined)
		next.endedBefore = upload.endedAt;
	const isCompleted = ({ completedAt, status }: SmallUpload) =>
		completedAt !== null && status !== FAILED;
	if (isCompleted(next) && !isCompleted(upload))
		next.completedLate = now - (next.completedAt ?? now);
	return next;
}

/** What the service shows of an upload. */
export function listedIn({ uploads }: SmallWorld, at: number): SmallUpload | undefined {
	const upload = uploads[at];
	return upload && !upload.isDeleted ? upload : undefined;
}

/** Everything that a poll can see of a world. */
export function visible(world: SmallWorld): string {
	const uploads = world.uploads.map((_, at) => {
		const { createdAt, completedAt, status } = listedIn(world, at) ?? {};
		return [createdAt, completedAt, status];
	});
	return JSON.stringify([world.now, world.ordering, uploads]);
}

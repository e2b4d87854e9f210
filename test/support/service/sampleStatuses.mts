/**
 * Customers of the sample data to look at, so that each data status and each outcome of a refresh is there at
 * once.
 */
import type { ServiceModel } from './model.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The hours after which the nodes call an upload stuck by default. */
const STUCK_AFTER = 6 * HOUR;

/** What is the matter with whom, by engagement ID; all on the first page of a list. */
const NOTABLE = {
	neverShared: [1002, 1003],
	lastFailed: 1008,
	stale: 1009,
	stuck: 1006,
	/** These have data that is due to be refreshed. */
	due: 1026,
	mustSignIn: 1033,
	refreshFails: 1042,
	disabled: 1043,
	disabledNever: 1045,
	/** Their uploads get stuck in the first hour, one every five minutes. */
	gettingStuck: [1011, 1012, 1013, 1014, 1015, 1016, 1017, 1018, 1019, 1021, 1022, 1023],
};

/** The engagements whose uploads are only those added here. */
export const NOTABLE_IDS: ReadonlySet<number> = new Set(Object.values(NOTABLE).flat());

/** Adds their uploads; those who never shared data became customers only lately. */
export function addNotableUploads(model: ServiceModel): void {
	const { now } = model;
	for (const [index, id] of NOTABLE.neverShared.entries())
		model.updateEngagement(id, { createdAt: now - (5 + 16 * index) * DAY });

	addCompleted(model, NOTABLE.lastFailed, 12 * DAY);
	addUnfinished(model, NOTABLE.lastFailed, 20 * HOUR, 'FAILED');
	addCompleted(model, NOTABLE.stale, 45 * DAY);
	const { due, mustSignIn, refreshFails, disabled, disabledNever } = NOTABLE;
	for (const id of [due, mustSignIn, refreshFails, disabled]) addCompleted(model, id, 32 * DAY);
	model.refreshOutcomes.set(mustSignIn, 'actionRequired').set(refreshFails, 'fails');
	for (const id of [disabled, disabledNever])
		model.updateEngagement(id, { active: false, status: 'DISABLED' });
	addCompleted(model, NOTABLE.stuck, 9 * DAY);
	addUnfinished(model, NOTABLE.stuck, STUCK_AFTER + 2 * HOUR);
	for (const [index, id] of NOTABLE.gettingStuck.entries()) {
		addCompleted(model, id, 8 * DAY);
		addUnfinished(model, id, STUCK_AFTER - 5 * MINUTE * (index + 1));
	}
}

/** Who they are, for people to read. */
export function notableCustomers({ engagements }: ServiceModel): string[] {
	const line = (id: number, what: string) => `  ${id}  ${engagements.existing(id).name} ${what}`;
	return [
		'Customers to look at, by engagement ID:',
		...NOTABLE.neverShared.map((id) => line(id, 'has never shared data.')),
		line(NOTABLE.stuck, 'has an upload that is stuck.'),
		line(NOTABLE.lastFailed, 'has older data, and then an upload that failed.'),
		line(NOTABLE.stale, 'has old data.'),
		line(NOTABLE.mustSignIn, 'has old data, and must sign in before it can be refreshed.'),
		line(NOTABLE.refreshFails, 'has old data, and its refreshes fail.'),
		line(NOTABLE.disabled, 'has old data, and is disabled.'),
		line(NOTABLE.disabledNever, 'has never shared data, and is disabled.'),
		'In the first hour, another upload gets stuck every five minutes.',
	];
}

function addCompleted(model: ServiceModel, engagementId: number, age: number): void {
	model.addCompletedUpload({ engagementId, completedAt: model.now - age });
}

/** An upload that has not completed, and never will. */
function addUnfinished(
	model: ServiceModel,
	engagementId: number,
	age: number,
	status = 'PROCESSING',
): void {
	const createdAt = model.now - age;
	const progress = { finishedSteps: 2, lastUpdate: createdAt + MINUTE };
	model.addUpload({ engagementId, createdAt, status, ...progress });
}

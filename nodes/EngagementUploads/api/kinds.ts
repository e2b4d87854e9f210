/** The kinds of records that the service sends (interface section 2). */
import type { RecordKind } from '../transport/answers';

const byId = (...names: string[]): RecordKind['identity'] => names.map((name) => [name]);

export const company: RecordKind = {
	own: ['registrationNumber', 'salesTaxNumber', 'townCity', 'countryCode', 'currencyIso', 'name'],
	identity: [],
};
export const connector: RecordKind = {
	own: ['isRefreshable'],
	weak: ['id', 'name'],
	identity: byId('id', 'name'),
};
export const engagement: RecordKind = {
	own: ['Id', 'externalEngagementId'],
	weak: ['id', 'engagementId'],
	identity: byId('Id', 'id', 'engagementId'),
};
export const period: RecordKind = {
	own: ['periodId', 'yearId', 'periodNo'],
	identity: [
		['uploadId', 'yearId', 'periodId'],
		['yearId', 'periodId'],
	],
};
export const upload: RecordKind = { own: ['uploadId'], identity: byId('uploadId') };
export const user: RecordKind = {
	own: ['email', 'userType'],
	weak: ['id'],
	identity: byId('id', 'email'),
};
export const workflow: RecordKind = { own: ['uploadId', 'steps'], identity: [] };

/** Answers to a started upload, and to a refresh or schedule: they are no records, so name no other. */
export const uploadStart: RecordKind = { own: ['type', 'redirectUrl'], identity: [] };
export const refreshResult: RecordKind = { own: ['action', 'url'], identity: [] };

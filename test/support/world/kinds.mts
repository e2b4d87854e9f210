/**
 * Samples of each kind of record. The tests of output and lists follow from them; a kind without samples is a
 * type error here.
 */
import type { KindName } from '../../../nodes/EngagementUploads/service/records.ts';

type Json = Record<string, unknown>;

interface Samples {
	/** A record as the service sends it (docs/service.md#records). */
	record: Json;
	/** The simplified fields whose values are others. */
	simple: Json;
	/** For records that come in lists. */
	list?: {
		/** The name that a wrapper may have. */
		name: string;
		/** How a second record differs. */
		other: Json;
	};
}

/** By kind. */
export const samples: Record<KindName, Samples> = {
	connector: {
		record: { id: '1', name: 'online', type: '0', isRefreshable: false, scopes: ['Full', 'Part'] },
		simple: { id: 1, type: 'online', scopes: 'Full, Part' },
		list: { name: 'connectors', other: { id: '2', name: 'offline', type: '1', scopes: [] } },
	},
	createdEngagement: {
		record: {
			Id: '1004',
			externalEngagementId: 'CRM-4',
			name: 'ACME',
			status: 'ACTIVE',
			type: 'AUDIT',
			connectorId: 3,
			email: 'ada@example.com',
			createdAt: '2026-07-01T10:15:30',
		},
		simple: { engagementId: 1004, createdAt: '2026-07-01T09:15:30.000Z' },
	},
	engagement: {
		record: {
			Id: 1001,
			name: 'online',
			connectorId: 3,
			Owner: { email: 'owner@example.com', firstName: 'Ann' },
			Sme: { name: 'ACME' },
			dataRefreshEnabled: false,
			createdAt: '2026-07-01T10:15:30',
		},
		simple: {
			engagementId: 1001,
			smeName: 'ACME',
			ownerEmail: 'owner@example.com',
			createdAt: '2026-07-01T09:15:30.000Z',
		},
		list: { name: 'engagements', other: { Id: 8, status: 'ACTIVE' } },
	},
	upload: {
		record: {
			uploadId: 'u1',
			uploadStatus: 'COMPLETED',
			engagementId: 1001,
			contactId: 'c1',
			creationDate: '2026-03-01T10:15:30+0000',
			completionDate: '2026-03-01T10:15:30.1+01:00',
		},
		simple: {
			creationDate: '2026-03-01T10:15:30.000Z',
			completionDate: '2026-03-01T09:15:30.100Z',
		},
		list: { name: 'uploads', other: { uploadId: 'u2', uploadStatus: 'LOADING' } },
	},
	lastUpload: {
		record: { uploadId: 'u1', status: 'FAILED', engagementId: 1001, active: false, content: null },
		simple: { uploadStatus: 'FAILED' },
		list: { name: 'lastUploads', other: { uploadId: 'u2', engagementId: 7 } },
	},
	period: {
		record: {
			uploadId: 'u1',
			yearId: '2026',
			periodId: '1',
			startDate: '2026-01-01',
			endDate: 1769817600000,
		},
		simple: { engagementId: 7, endDate: '2026-01-31' },
		list: { name: 'periods', other: { periodId: '2', name: 'February' } },
	},
	user: {
		record: {
			id: 5,
			email: 'ann@example.com',
			firstName: 'Ann',
			phone: 123,
			profiles: [{ name: 'Admin', key: 'ADM' }, { name: 'Reader' }],
			lastLoginDate: 1772360130123,
		},
		simple: { roles: 'Admin, Reader', lastLoginDate: '2026-03-01T10:15:30.123Z' },
		list: { name: 'users', other: { id: 6, email: 'bob@example.com', profiles: [] } },
	},
	company: {
		record: { name: 'ACME', townCity: 'Leeds', address1: 'High Street 1', currencyIso: 'GBP' },
		simple: { engagementId: 7 },
	},
	workflow: {
		record: {
			uploadId: 'u1',
			engagementId: 1001,
			connector: 'online',
			created: 1772360130123,
			started: '2026-07-01T10:15:30',
			lastUpdate: '2026-07-01T10:15:30',
			steps: [
				{ name: 'third', status: 'WAITING', sorting: 3, started: null },
				{ name: 'first', status: 'DONE', sorting: 1, started: '2026-03-01T10:15:30' },
				{ name: 'second', status: 'RUNNING', sorting: 2, started: '2026-03-01T10:16:30' },
			],
		},
		simple: {
			connectorName: 'online',
			created: '2026-03-01T10:15:30.123Z',
			started: '2026-07-01T09:15:30.000Z',
			lastUpdate: '2026-07-01T09:15:30.000Z',
			stepCount: 3,
			currentStep: 'second',
			currentStepStatus: 'RUNNING',
		},
	},
};

/** The kinds that come in lists. */
export const listKinds = Object.entries(samples).flatMap(([kind, { record, list }]) => {
	if (list === undefined) return [];
	const records = [record, { ...record, ...list.other }];
	return [{ kind: kind as KindName, records, ...list }];
});

/** The simulated service sends what service/records.ts and service/uploadRecords.ts describe, and the node makes of it what it should. */
import { createdEngagement, kinds } from '../../nodes/EngagementUploads/service/records.ts';
import {
	customerUrl,
	refreshOutput,
	refreshResult,
	uploadStart,
} from '../../nodes/EngagementUploads/service/uploadRecords.ts';
import type { Kind } from '../../nodes/EngagementUploads/service/kind.ts';
import { compareFields } from '../support/description.mts';
import { startService } from '../support/service/http.mts';
import { makeCompany, monthlyPeriods } from '../support/service/records.mts';
import * as render from '../support/service/render.mts';
import { service, useService } from '../support/engine/runs.mts';

type Json = Record<string, unknown>;

useService(beforeAll, async () => await startService({ sample: true }));

/** A record of each kind, as the simulated service sends it. */
function sent(): Array<[name: string, kind: Kind, record: Json, departures?: object]> {
	const { model } = service;
	const [engagement] = model.engagements.all;
	const upload = model.uploads.all.find(({ completedAt }) => completedAt !== null);
	const [user] = model.staff;
	const [connector] = model.connectors;
	if (!engagement || !upload || !user || !connector) throw new Error('The sample is too small');
	return [
		['engagement', kinds.engagement, render.engagementRecord(service, engagement)],
		['created', createdEngagement, render.createdEngagementRecord(service, engagement)],
		['company', kinds.company, makeCompany(engagement)],
		['period', kinds.period, monthlyPeriods(upload)[0] ?? {}],
		['upload', kinds.upload, render.uploadRecord(service, upload)],
		['lastUpload', kinds.lastUpload, render.lastUploadRecord(service, upload)],
		// The ID of the role has no name in the documentation.
		['user', kinds.user, render.userRecord(service, user), { unknown: ['roleId'] }],
		['workflow', kinds.workflow, render.workflowRecord(service, upload)],
		// Documented as text.
		['connector', kinds.connector, render.connectorRecord(connector)],
		['uploadStart', uploadStart, { type: 'REDIRECT', redirectUrl: 'https://example.com' }],
		['refresh', refreshResult, { action: 'No Action Required', url: 'null' }],
	];
}

it('the simulated service sends the described fields, no more and no less', () => {
	for (const [name, kind, record, departures] of sent())
		expect([name, compareFields([record], kind)]).toEqual([
			name,
			{ unknown: [], missing: [], otherType: [], ...departures },
		]);
});

const LINK = 'https://example.com/sign-in';

it.each([
	[{ action: 'No Action Required', url: null }, null],
	[{ action: 'NO_ACTION_REQUIRED', url: 'null' }, null],
	[{}, null],
	[{ action: 'Authentication Required', url: 'null' }, null, true],
	[{ action: 'No Action Required', url: LINK }, LINK, true],
	[{ url: LINK }, LINK, true],
])(
	'after %j, the URL is %j; the customer must act: %j',
	(response, url, actionRequired = false) => {
		const output = refreshOutput(response, { engagementId: 7 });
		expect(output).toEqual({ ...response, url, engagementId: 7, actionRequired });
	},
);

it.each([
	[{ type: 'REDIRECT', redirectUrl: LINK, productClientUrl: null }, LINK],
	[{ type: 'DOWNLOAD', redirectUrl: null, productClientUrl: LINK }, LINK],
	[{ type: 'DOWNLOAD', redirectUrl: 'null', productLink: LINK }, undefined],
	[{ type: 'REDIRECT', redirectUrl: '' }, undefined],
])('the address in %j is %j', (response, url) => {
	expect(customerUrl(response)).toBe(url);
});

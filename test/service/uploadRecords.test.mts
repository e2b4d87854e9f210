/** What the answers to a start and to a refresh say. */
import { customerUrl, refreshOutput } from '../../nodes/EngagementUploads/service/uploadRecords.ts';

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

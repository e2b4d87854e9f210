import { refreshOutput } from '../../nodes/EngagementUploads/service/refreshResult.ts';

const LINK = 'https://example.com/sign-in';

it.each([
	[{ action: 'No Action Required', url: null }, null, false],
	[{ action: 'NO_FURTHER_ACTION_NEEDED' }, null, false],
	[{ action: 'NO_ACTION_REQUIRED', url: 'null' }, null, false],
	[{ action: 'no action required', url: '' }, null, false],
	[{ action: 'No action is required.', url: ' ' }, null, false],
	[{ action: 'noActionRequired' }, null, false],
	[{ action: 'None', url: null }, null, false],
	[{ action: 'ACTION_NOT_REQUIRED' }, null, false],
	[{ action: 'Action is not required' }, null, false],
	[{ action: 'NO_USER_ACTION_REQUIRED' }, null, false],
	[{ action: 'NOT_REQUIRED' }, null, false],
	[{ action: 'nothing' }, null, false],
	[{ action: 'NOT_REQUIRED', url: LINK }, LINK, true],
	[{ action: 'No action required', url: LINK }, LINK, true],
	[{ action: 'Redirect', url: 'null' }, null, true],
	[{ action: 'Authentication Required', url: LINK }, LINK, true],
	[{ action: 'No action required today' }, null, true],
	[{}, null, true],
])('of %j has the URL %j, and an action is required: %j', (response, url, actionRequired) => {
	const output = refreshOutput(response as never, { engagementId: 7 });
	expect(output).toEqual({ ...response, url, engagementId: 7, actionRequired });
});

import { refreshOutput } from '../../nodes/EngagementUploads/actions/dataRefresh/refreshOutput.ts';

it.each([
	['No Action Required', null, false],
	['NO_ACTION_REQUIRED', 'null', false],
	['no action required', '', false],
	['No action is required.', null, false],
	['No Action Required', 'https://act.example.com', true],
	['Authentication Required', 'https://act.example.com', true],
	['Re-authenticate', null, true],
])('interprets the action %s with the address %s', (action, url, actionRequired) => {
	const shown = url?.startsWith('https') ? url : null;
	expect(refreshOutput({ action, url }, { engagementId: 1001 })).toEqual({
		action,
		url: shown,
		engagementId: 1001,
		actionRequired,
	});
});

/** How the service hands out tokens (docs/service.md#authentication), and refuses (docs/service.md#errors). */
import * as endpoints from '../../../nodes/EngagementUploads/service/endpoints.ts';
import type { ApiRequest } from '../../../nodes/EngagementUploads/transport/request.ts';
import { Redactor } from '../../../nodes/EngagementUploads/values/redact.ts';
import { serviceMessage } from '../../../nodes/EngagementUploads/transport/messages.ts';
import { isObject } from '../../../nodes/EngagementUploads/values/objects.ts';
import { NO_ENGAGEMENT, type Account } from '../account.mts';
import type { Answer, Identity } from '../connection.mts';
import { finding, unknown, type Assumption, type Finding } from './assumption.mts';

const users = endpoints.listUsers();

export const token: Assumption = {
	name: 'token',
	assumed: '`access_token` and `clientId`',
	check: checkToken,
};

export const errors: Assumption[] = [
	refusal('wrong ID', 404, endpoints.getCompany(NO_ENGAGEMENT)),
	refusal('unknown path', 404, { ...users, path: '/v1/no-such-path' }),
	refusal('wrong key', 401, users, 'wrong key'),
	refusal('wrong token', 401, users, 'wrong token'),
	refusal('expired token', 401, users, 'expired token'),
];

async function checkToken(account: Account): Promise<Finding> {
	const { tokenRequest } = account.settings.credential;
	if (tokenRequest === undefined) return unknown('PROBE_ACCESS_TOKEN was used');
	const { answer, tokenName, clientId } = await account.logIn();
	const seen = describe(answer);
	if (tokenName === undefined)
		return finding(false, seen, 'check PROBE_TOKEN_URL and PROBE_TOKEN_FIELDS');
	if (clientId === '') return finding(false, seen, 'the credential needs the Client ID');
	return finding(tokenName === 'access_token', seen, 'the credential needs no Client ID');
}

/** What the service answers where it has to refuse. */
function refusal(name: string, status: number, request: ApiRequest, as?: Identity): Assumption {
	const check = async (account: Account) => {
		if (as === 'expired token' && account.settings.expiredToken === '') {
			return unknown('PROBE_EXPIRED_TOKEN is not set');
		}
		const answer = await account.ask(request, as);

		const message = serviceMessage(answer.body, new Redactor(account.connection.secrets));
		const means = message === undefined ? 'no message can be quoted' : `quoted: “${message}”`;
		return finding(answer.status === status && message !== undefined, describe(answer), means);
	};
	return { name, assumed: `${status} with a message`, check };
}

function describe({ status, body, headers }: Answer): string {
	if (isObject(body)) return `${status} with ${Object.keys(body).join(', ')}`;
	return `${status}, ${body === '' ? 'empty' : (headers['content-type'] ?? 'no content type')}`;
}

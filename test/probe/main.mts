/** `npm run probe`: see docs/service.md#checking-an-account. */
import { askAll } from './questions.mts';

const read = (name: string) => process.env[`PROBE_${name}`] ?? '';
const subscriptionKey = read('SUBSCRIPTION_KEY');
if (read('BASE_URL') === '' || subscriptionKey === '')
	throw new Error('Set PROBE_BASE_URL and PROBE_SUBSCRIPTION_KEY');

const usualFields = { grant_type: 'vapi_key', key: subscriptionKey };
const given = read('TOKEN_FIELDS');
console.log(
	await askAll({
		baseUrl: read('BASE_URL'),
		subscriptionKey,
		tokenUrl: read('TOKEN_URL') || '/v1/oauth/token',
		tokenFields: given === '' ? usualFields : (JSON.parse(given) as Record<string, string>),
		accessToken: read('ACCESS_TOKEN'),
		clientId: read('CLIENT_ID'),
	}),
);

/**
 * `npm run probe`: questions for the first day with a real account, each of which settles an assumption of
 * docs/service.md. It only reads, one request at a time, and shows no secret
 * (docs/checking-an-account.md).
 */
import { probe } from './probe.mts';

const setting = (name: string) => process.env[`PROBE_${name}`] ?? '';
const [baseUrl, subscriptionKey] = [setting('BASE_URL'), setting('SUBSCRIPTION_KEY')];
if (baseUrl === '' || subscriptionKey === '') {
	console.error(
		'Set PROBE_BASE_URL and PROBE_SUBSCRIPTION_KEY (docs/checking-an-account.md has the others)',
	);
	process.exit(1);
}
const usualFields = { grant_type: 'vapi_key', key: subscriptionKey };
const settings = {
	baseUrl,
	subscriptionKey,
	tokenUrl: setting('TOKEN_URL') || '/v1/oauth/token',
	tokenFields: JSON.parse(setting('TOKEN_FIELDS') || JSON.stringify(usualFields)),
	accessToken: setting('ACCESS_TOKEN'),
	clientId: setting('CLIENT_ID'),
};
process.exitCode = (await probe(settings, console.log)) ? 0 : 1;

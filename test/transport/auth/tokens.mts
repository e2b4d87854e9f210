/** Runs that fetch their token from the service. */
import { CREDENTIAL, endpointCredentialOf } from '../../support/credentials.mts';
import { CredentialStore } from '../../support/engine/credentials.mts';
import type { SimulatedService } from '../../support/service/http.mts';

export const TOKEN_PATH = '/v1/oauth/token';

/** An operation that needs a token. */
export const company = { resource: 'company', operation: 'get', engagementId: 1001 };

export const many = (count: number) => Array.from({ length: count }, () => ({}));

export const storeOf = (service: SimulatedService, over = {}) =>
	new CredentialStore({ [CREDENTIAL]: endpointCredentialOf(service, over) });

export const tokenRequests = ({ requests }: SimulatedService) =>
	requests.filter(({ path }) => path === TOKEN_PATH);

export const otherRequests = ({ requests }: SimulatedService) =>
	requests.filter(({ path }) => path !== TOKEN_PATH);

import { CREDENTIAL, endpointCredentialOf } from '../support/credentials.mts';
import type { CredentialData } from '../support/engine/credentials.mts';
import type { EngineTypes } from '../support/engine/types.mts';
import type { SimulatedService } from '../support/service/http.mts';
import type { Report } from './report.mts';

/** What all parts of the demo use. */
export interface DemoContext {
	service: SimulatedService;
	types: EngineTypes;
	credentials: CredentialData;
	report: Report;
}

/** Why the demo failed, for the person who runs it. */
export class DemoFailure extends Error {}

/** The credential, as a user of the simulated service would enter it. */
export function credentialsFor(service: SimulatedService): CredentialData {
	return { [CREDENTIAL]: endpointCredentialOf(service) };
}

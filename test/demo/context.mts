import { CREDENTIAL, endpointCredentialOf } from '../support/credentials.mts';
import type { CredentialData } from '../support/engine/credentials.mts';
import type { EngineTypes } from '../support/engine/types.mts';
import type { SimulatedService } from '../support/service/http.mts';
import type { Report } from './report.mts';

/** What every part of the demo uses. */
export interface DemoContext {
	service: SimulatedService;
	types: EngineTypes;
	credentials: CredentialData;
	report: Report;
}

/** Why the demo failed, in a sentence for the person who runs it. */
export class DemoFailure extends Error {}

/** The credential, as a user of the simulated service would enter it. */
export function credentialsFor(service: SimulatedService): CredentialData {
	return { [CREDENTIAL]: endpointCredentialOf(service) };
}

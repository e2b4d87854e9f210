import type { Service } from './service.mts';
import { SeededRandom } from './random.mts';
import { NOTABLE_IDS } from './sampleStatuses.mts';

/** The links in the response to the start of an upload, one of which is null. */
type StartResult = Record<'redirectUrl' | 'serviceClientUrl', string | null>;

/** Milliseconds from one upload to the next. */
const BETWEEN_UPLOADS = 20_000;

/**
 * What happens to them: every five minutes one fails, and every half hour one never ends. A service
 * that replays its uploads needs this from its start.
 */
export const ONGOING_UPLOADS = { failEvery: 15, stickEvery: 90 };

/** The same for people to read. */
export const WHAT_TO_EXPECT = `Every ${BETWEEN_UPLOADS / 1000} seconds the service starts an upload, which completes a few seconds later; every ${ONGOING_UPLOADS.failEvery}th fails, and every ${ONGOING_UPLOADS.stickEvery}th gets stuck.`;

/** Starts uploads at intervals, for a polling trigger to pick up; ends with `clearInterval`. */
export function keepUploading(service: Service): NodeJS.Timeout {
	const { model } = service;
	const random = new SeededRandom(20);
	// A new upload would end what the others are there for.
	const engagements = model.engagements.all.filter(({ id }) => !NOTABLE_IDS.has(id));
	return setInterval(() => {
		const engagement = random.pick(engagements);
		const connector = model.connectors.find(({ id }) => id === engagement.connectorId);
		if (connector === undefined) return;
		const path = `/v1/engagements/${engagement.id}/connectors/${connector.name}/upload`;
		const { status, body } = service.ask('POST', path);
		if (status !== 200) throw new Error(`The simulated service rejected an upload (${status})`);
		const { redirectUrl, serviceClientUrl } = body as StartResult;
		// The customer opens the link at once.
		service.ask('GET', new URL(redirectUrl ?? serviceClientUrl ?? '').pathname);
	}, BETWEEN_UPLOADS);
}

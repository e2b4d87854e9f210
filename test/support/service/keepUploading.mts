import type { Service } from './service.mts';
import { SeededRandom } from './random.mts';
import { NOTABLE_IDS } from './sampleStatuses.mts';

/** Milliseconds from one upload to the next. */
const BETWEEN_UPLOADS = 20_000;

/** Every five minutes one fails, and every half hour one never ends. */
const [FAIL_EVERY, STICK_EVERY] = [15, 90];

/** What happens to them, for people to read. */
export const WHAT_TO_EXPECT = `Every ${BETWEEN_UPLOADS / 1000} seconds the service starts an upload, which completes a few seconds later; every ${FAIL_EVERY}th fails, and every ${STICK_EVERY}th gets stuck.`;

/** Starts uploads at intervals, for a polling trigger to pick up; ends with `clearInterval`. */
export function keepUploading({ model }: Service): NodeJS.Timeout {
	const random = new SeededRandom(20);
	// A new upload would end what the others are there for.
	const engagements = model.engagements.all.filter(({ id }) => !NOTABLE_IDS.has(id));
	let count = 0;
	return setInterval(() => {
		const { id, connectorId } = random.pick(engagements);
		const connector = model.connectors.find((each) => each.id === connectorId);
		if (connector === undefined) return;
		count += 1;
		const outcome =
			count % STICK_EVERY === 0 ? 'sticks' : count % FAIL_EVERY === 0 ? 'fails' : 'completes';
		model.startUpload(id, connector.name, 'FINANCIALS', outcome);
	}, BETWEEN_UPLOADS);
}

import type { SimulatedService } from './http.mts';
import { SeededRandom } from './random.mts';

/** Milliseconds from one upload to the next. */
export const BETWEEN_UPLOADS = 20_000;

/** Keeps uploads coming, so that a polling trigger has something to see; ends with `clearInterval`. */
export function keepUploading({ model }: SimulatedService): NodeJS.Timeout {
	const random = new SeededRandom(20);
	return setInterval(() => {
		const engagement = random.pick(model.engagements.all);
		const connector = model.connectors.find(({ id }) => id === engagement.connectorId);
		if (connector) model.startUpload(engagement.id, connector.name);
	}, BETWEEN_UPLOADS);
}

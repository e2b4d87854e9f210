import type { Service } from './service.mts';
import { SeededRandom } from './random.mts';

/** Milliseconds from one upload to the next. */
export const BETWEEN_UPLOADS = 20_000;

/** Starts uploads at intervals, for a polling trigger to pick up; ends with `clearInterval`. */
export function keepUploading(service: Service): NodeJS.Timeout {
	const { model } = service;
	const random = new SeededRandom(20);
	return setInterval(() => {
		const engagement = random.pick(model.engagements.all);
		const connector = model.connectors.find(({ id }) => id === engagement.connectorId);
		if (connector === undefined) return;
		service.ask('POST', `/v1/engagements/${engagement.id}/connectors/${connector.name}/upload`);
	}, BETWEEN_UPLOADS);
}

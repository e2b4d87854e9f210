import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { SimulatedService } from './http.mts';
import type { SimRequest } from './request.mts';
import { addSampleData } from './sample.mts';
import type { Settings } from './settings.mts';

/** A line of the file: when the sample data was made, or a request that changed something (epoch ms). */
interface Line extends Partial<Pick<SimRequest, 'method' | 'url' | 'body'>> {
	at: number;
}

/**
 * Starts the service with sample data that survives its process. Each request that changes something is
 * appended to a file before it is answered; the next start replays them, each at its original time.
 */
export async function startKeptService(
	file: string,
	port: number,
	settings: Partial<Settings>,
): Promise<SimulatedService> {
	const service = new SimulatedService({ record: false, settings });
	const { model } = service;
	const keep = (line: Line) => appendFileSync(file, `${JSON.stringify(line)}\n`);
	if (!existsSync(file)) keep({ at: Date.now() });
	for (const text of readFileSync(file, 'utf8').trim().split('\n')) {
		const { at, method, url = '', body }: Line = JSON.parse(text);
		model.clock.doAt(at, () => {
			if (method === undefined) addSampleData(model);
			else service.ask(method, url, body === undefined ? undefined : JSON.parse(body));
		});
	}
	const handle = service.handle.bind(service);
	service.handle = (request) => {
		const { method, path, url, body } = request;
		const isRead = method === 'GET' && path.startsWith('/v1/');
		if (isRead || path === service.settings.tokenPath) return handle(request);
		const at = model.now;
		const outcome = model.clock.doAt(at, () => handle(request));
		if (outcome.response?.status === 200) keep({ at, method, url, body });
		return outcome;
	};
	await service.listen(port);
	service.settings.connectUrl = service.url;
	return service;
}

import type { Clock } from '../../../nodes/EngagementUploads/values/clock.ts';
import { systemClock } from '../../../nodes/EngagementUploads/values/clock.ts';
import { loadTypes, type EngineTypes } from './types.mts';

const NODES = '../../../nodes/EngagementUploads';
const CREDENTIALS = '../../../credentials/EngagementUploadsApi.credentials.ts';

type Classes = typeof import('../../../nodes/EngagementUploads/EngagementUploads.node.ts') &
	typeof import('../../../credentials/EngagementUploadsApi.credentials.ts');

/** Loads modules as another process of n8n does: what they remember is shared with no other. Only time and chance are. */
export function loadInWorker<T>(load: () => T): T {
	const loaded: T[] = [];
	jest.isolateModules(() => {
		const clock = jest.requireActual<{ systemClock: Clock }>(`${NODES}/values/clock.ts`);
		const sleep = async (milliseconds: number) => await systemClock.sleep(milliseconds);
		const random = () => systemClock.random();
		Object.assign(clock.systemClock, { now: () => systemClock.now(), sleep, random });
		loaded.push(load());
	});
	const [first] = loaded;
	if (first === undefined) throw new Error('No worker was loaded');
	return first;
}

/** The types as another process of n8n has loaded them. */
export function typesOfWorker(): EngineTypes {
	const { EngagementUploads, EngagementUploadsApi } = loadInWorker<Classes>(() => ({
		...jest.requireActual<Classes>(`${NODES}/EngagementUploads.node.ts`),
		...jest.requireActual<Classes>(CREDENTIALS),
	}));
	return loadTypes({
		nodes: { engagementUploads: EngagementUploads },
		credentials: { engagementUploadsApi: EngagementUploadsApi },
	});
}

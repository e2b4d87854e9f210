import type { Clock } from '../../../nodes/EngagementUploads/values/clock.ts';
import { systemClock } from '../../../nodes/EngagementUploads/values/clock.ts';
import { loadTypes, type EngineTypes } from './types.mts';

const NODES = '../../../nodes/EngagementUploads';
const CREDENTIALS = '../../../credentials/EngagementUploadsApi.credentials.ts';

type Classes = typeof import('../../../nodes/EngagementUploads/EngagementUploads.node.ts') &
	typeof import('../../../credentials/EngagementUploadsApi.credentials.ts');

/** The types as another process of n8n has loaded them: it shares nothing but time and chance. */
export function typesOfWorker(): EngineTypes {
	let classes: Classes | undefined;
	jest.isolateModules(() => {
		const clock = jest.requireActual<{ systemClock: Clock }>(`${NODES}/values/clock.ts`);
		const sleep = async (milliseconds: number) => await systemClock.sleep(milliseconds);
		const random = () => systemClock.random();
		Object.assign(clock.systemClock, { now: () => systemClock.now(), sleep, random });
		classes = {
			...jest.requireActual<Classes>(`${NODES}/EngagementUploads.node.ts`),
			...jest.requireActual<Classes>(CREDENTIALS),
		};
	});
	if (classes === undefined) throw new Error('No worker was loaded');
	return loadTypes({
		nodes: { engagementUploads: classes.EngagementUploads },
		credentials: { engagementUploadsApi: classes.EngagementUploadsApi },
	});
}

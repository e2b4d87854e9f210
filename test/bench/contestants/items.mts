import type { IDataObject } from 'n8n-workflow';

import type { Task } from '../workload.mts';

/** The connector that is refreshed. */
export const CONNECTOR = 'connector-a';

/** The input items of a task: one per engagement, or a single one for a list. */
export function itemsOf(task: Task): IDataObject[] {
	if (!('engagements' in task)) return [{}];
	return Array.from({ length: task.engagements }, (_, index) => ({
		engagementId: index + 1,
		name: `New company ${index + 1}`,
	}));
}

import type { Upload } from './records.mts';

/** The steps that every upload passes through, in order. */
export const STEP_NAMES = ['Collect', 'Transfer', 'Validate', 'Standardise', 'Store'] as const;

/** Whether an upload is still in progress. */
export function isOpen(upload: Upload): boolean {
	return upload.status === 'LOADING' || upload.status === 'PROCESSING';
}

/**
 * The current steps of an upload, spread evenly over its duration so far; times in epoch ms
 * (docs/service.md#workflow-record).
 */
export function listSteps(upload: Upload) {
	const { startedAt } = upload;
	const begun = startedAt ?? upload.createdAt;
	const reached = isOpen(upload) ? upload.finishedSteps : Math.max(1, upload.finishedSteps);
	const share = (upload.lastUpdate - begun) / Math.max(1, reached);
	const timeAt = (count: number) => Math.round(begun + share * Math.min(count, reached));
	return STEP_NAMES.map((name, index) => {
		const finished = index < upload.finishedSteps;
		const current = index === upload.finishedSteps && startedAt !== null;
		const waiting = !finished && !current;
		return {
			stepId: upload.sequence * STEP_NAMES.length + index + 1,
			created: upload.createdAt,
			started: waiting ? null : timeAt(index),
			status: finished ? 'COMPLETED' : waiting ? 'PENDING' : upload.status,
			lastUpdate: waiting ? upload.createdAt : timeAt(index + 1),
			name,
			sorting: index + 1,
		};
	});
}

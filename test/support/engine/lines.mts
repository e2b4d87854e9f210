/** What the oldest supported n8n lacks or does differently. Nothing else in the harness depends on it. */
import type { Workflow } from 'n8n-workflow';

import { isOldestN8n } from './n8n.mts';

/** Thrown by a test of something that this n8n lacks: test/environment.js then skips it. */
class LineLacks extends Error {
	override name = 'LineLacks';
}

/** n8n has had poll budgets and durable polling since 2.38. */
export function needsPollBudgets(): void {
	if (isOldestN8n) throw new LineLacks('This n8n has no poll budgets');
}

/**
 * The request helper of the oldest n8n does not settle after a response that cannot be decompressed, so
 * that each such request would last until its time limit, in real time.
 */
export const settlesAfterBadGzip = !isOldestN8n;

/** Runs a node so that its expressions can be evaluated, for which not every line prepares. */
export async function withExpressions<T>(
	expression: Workflow['expression'],
	run: () => Promise<T>,
): Promise<T> {
	return 'withIsolate' in expression ? await expression.withIsolate(run) : await run();
}

/** Features that older lines of n8n lack or name differently. Nothing else in the harness depends on the line. */
import type { IWorkflowExecuteAdditionalData, Workflow } from 'n8n-workflow';

import { config, Container, core, n8n, OLDER_LINE } from './n8n.mts';

/** Thrown by a test of something that this line lacks: test/lines/environment.js then skips it. */
class LineLacks extends Error {
	override name = 'LineLacks';
}

/** n8n has had poll budgets and durable polling since 2.38: of the lines under test, only the newest does. */
export function needsPollBudgets(): void {
	if (OLDER_LINE !== undefined) throw new LineLacks('This line of n8n has no poll budgets');
}

/** Skips a long test in older lines of n8n, since its result does not depend on n8n. */
export function onlyInNewestLine(): void {
	if (OLDER_LINE !== undefined) throw new LineLacks('This test runs in the newest line only');
}

type WorkflowExecute = InstanceType<typeof core.WorkflowExecute>;
type Start = Parameters<WorkflowExecute['run']>[0];

/** Runs a workflow from a node. Before 2.0, the engine took its options as separate arguments. */
export function runFrom(
	execution: WorkflowExecute,
	start: Start,
): ReturnType<WorkflowExecute['run']> {
	const { workflow, startNode, triggerToStartFrom } = start;
	const given =
		execution.run.length > 1
			? [workflow, startNode, undefined, undefined, triggerToStartFrom]
			: [start];
	return Reflect.apply(execution.run, execution, given) as ReturnType<WorkflowExecute['run']>;
}

/** n8n has refused requests to private addresses, where its administrator wants that, since 2.12. */
export function needsProtection(): void {
	if (OLDER_LINE === '1.123') throw new LineLacks('This line of n8n refuses no addresses');
}

/** The same for the credential test. */
export function needsProtectionOfCredentialTest(): void {
	if (OLDER_LINE === '2.20') throw new LineLacks('This line of n8n lets credential tests through');
}

let isProtected = false;

/** Lets n8n refuse, or no longer refuse, requests to private addresses: the services of tests are there. */
export function protectPrivateAddresses(protect: boolean): void {
	isProtected = protect;
	// The newest line asks its settings, older ones what their server hands over.
	if (OLDER_LINE === undefined) Container.get(config.SsrfProtectionConfig).enabled = protect;
}

/** What n8n's server hands over in older lines: its protection, which is not part of n8n-core. */
export function protection(): Partial<IWorkflowExecuteAdditionalData> {
	if (!isProtected || OLDER_LINE === undefined) return {};
	const message = 'The request was blocked because it resolves to a restricted IP address';
	const description =
		'The target 127.0.0.1 is not allowed. If you need to access internal resources, ask your n8n administrator to allowlist the hostname or IP range in the environment configuration.';
	const error = new n8n.UserError(message, { description });
	const check = () => ({ ok: !isProtected, error });
	const ssrfBridge = {
		validateUrl: async () => check(),
		validateConnectionHost: check,
		createSecureLookup: () => undefined,
	};
	return { ssrfBridge } as object;
}

/** Runs a node so that its expressions can be evaluated, for which not every line prepares. */
export async function withExpressions<T>(
	expression: Workflow['expression'],
	run: () => Promise<T>,
): Promise<T> {
	return 'withIsolate' in expression ? await expression.withIsolate(run) : await run();
}

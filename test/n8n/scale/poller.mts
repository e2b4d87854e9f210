/** A process with the trigger in n8n's engine: polls once for each message from its parent. */
import type { INodeParameters } from 'n8n-workflow';
import { CREDENTIAL, credentialOf, type CredentialTarget } from '../../support/credentials.mts';
import { createPoller } from '../../support/engine/poll.mts';
import { typesOfPackage } from '../../support/engine/types.mts';

/** What to poll; the process gets it as its argument. */
export interface PollerTask {
	target: CredentialTarget;
	parameters: INodeParameters;
}

export interface PollCost {
	emitted: number;
	cpuMs: number;
	/** The state that n8n saves. */
	stateBytes: number;
}

const { target, parameters }: PollerTask = JSON.parse(process.argv[2] ?? '');
const types = await typesOfPackage('.');
const credentials = { [CREDENTIAL]: credentialOf(target) };
const poller = createPoller({ types, credentials, parameters });

async function poll(): Promise<PollCost> {
	const before = process.cpuUsage();
	const items = await poller.poll();
	const { user, system } = process.cpuUsage(before);
	const stateBytes = Buffer.byteLength(JSON.stringify(poller.state));
	return { emitted: items?.length ?? 0, cpuMs: (user + system) / 1000, stateBytes };
}

process.on('message', () => void poll().then((cost) => process.send?.(cost)));
process.once('disconnect', () => process.exit());

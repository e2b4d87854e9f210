import { CREDENTIAL, credentialOf } from '../../support/credentials.mts';
import { createPoller, type Poller } from '../../support/engine/poll.mts';
import { typesOfPackage } from '../../support/engine/types.mts';
import type { Outcome, Prepare } from '../contestant.mts';

/** This project's built trigger, with its defaults. */
export const prepareTrigger: Prepare = async (target, { kind }) => {
	const types = await typesOfPackage('.');
	const credentials = { [CREDENTIAL]: credentialOf(target) };
	if (kind === 'backlog') {
		return async () => await emitAll(createPoller({ types, credentials, parameters: BACKLOG }));
	}
	const poller = createPoller({ types, credentials, parameters: { startFrom: 'now' } });
	// The first poll is part of the activation.
	await poller.poll();
	return async () => {
		const items = await poller.poll();
		return { records: items?.length ?? 0, polls: 1, stateBytes: stateBytesOf(poller) };
	};
};

const BACKLOG = { startFrom: 'beginning' };

/** Polls until nothing is emitted; a duplicate is an error. */
async function emitAll(poller: Poller): Promise<Outcome> {
	const emitted = new Set<unknown>();
	let [polls, stateBytes] = [1, 0];
	for (let items = await poller.poll(); items !== null; items = await poller.poll()) {
		for (const { json } of items) {
			if (emitted.has(json.uploadId)) throw new Error('An upload was emitted twice');
			emitted.add(json.uploadId);
		}
		polls += 1;
		stateBytes = Math.max(stateBytes, stateBytesOf(poller));
	}
	return { records: emitted.size, polls, stateBytes };
}

function stateBytesOf({ state }: Poller): number {
	return Buffer.byteLength(JSON.stringify(state));
}

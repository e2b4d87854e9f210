/** States saved by older versions, as in n8n's database, and what happens to them. */
import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import {
	isFromSource,
	isOldState,
	convertOldState,
} from '../../nodes/EngagementUploads/trigger/oldState.ts';
import type { SimulatedService } from '../support/service/http.mts';
import type { Settings } from '../support/service/settings.mts';
import savedBy010 from './savedStates/0.1.0.json';
import { drain, idsOf, pollerOf, startSmallService } from '../support/polls.mts';

interface Saved {
	parameters: IDataObject;
	settings: Partial<Settings>;
	durable: boolean;
	/** The service's clock when it was saved. */
	now: number;
	node: IDataObject;
	global: IDataObject;
	/** All uploads at that time, in the order of creation. */
	uploads: Array<{ uploadId: string; completedAt: number; connectorName: string; status: string }>;
}

/** How many of these uploads, the newest ones, had not been emitted yet. */
const UNREAD: Record<string, number> = { backlog: 5 };

let service: SimulatedService;
beforeEach(async () => {
	service = await startSmallService();
	service.model.addConnector({ name: 'ledgerpro' });
});
afterEach(async () => await service.close());

/** A trigger of this version with a state of an older one. */
function converted({ parameters, settings, durable, now, node, global, uploads }: Saved) {
	Object.assign(service.settings, settings);
	service.model.setClock(now);
	for (const { uploadId, completedAt, connectorName, status } of uploads) {
		const added = service.model.addCompletedUpload({ completedAt, connectorName, status });
		expect(added.uploadId).toBe(uploadId);
	}
	const state = { staticData: node, globalStaticData: global };
	return pollerOf(service, parameters, { ...state, ...(durable && { durable }) });
}

const states = Object.entries(savedBy010 as unknown as Record<string, Saved>);

describe('a state of version 0.1.0', () => {
	it.each(states)('continues: %s', async (name, saved) => {
		const poller = converted(saved);
		const unread = saved.uploads
			.toSorted((a, b) => a.completedAt - b.completedAt)
			.map(({ uploadId }) => uploadId)
			.slice(saved.uploads.length - (UNREAD[name] ?? 0));
		expect((await drain(poller)).flat()).toEqual(unread);
		const now = name.includes('expression') ? Date.now() : saved.now + 60_000;
		service.model.setClock(now);
		const next = service.model.addCompletedUpload({ connectorName: 'ledgerpro' }).uploadId;
		expect(await idsOf(poller)).toEqual([next]);
		poller.restart();
		expect(await idsOf(poller)).toEqual([]);
	});

	it('does not replay what its filter excluded', async () => {
		const saved = states.find(([name]) => name === 'filtered')?.[1] as Saved;
		const poller = converted({ ...saved, parameters: {} });
		expect(await idsOf(poller)).toEqual([]);
		service.model.setClock(saved.now + 60_000);
		const next = service.model.addCompletedUpload({ connectorName: 'cloudbooks' }).uploadId;
		expect(await idsOf(poller)).toEqual([next]);
	});

	it('starts over with another event', async () => {
		const saved = states.find(([name]) => name === 'first look')?.[1] as Saved;
		const parameters = { event: 'uploadStarted', startFrom: 'beginning' };
		const poller = converted({ ...saved, parameters });
		expect(await idsOf(poller)).toHaveLength(saved.uploads.length);
	});

	it('is identified by its Base URL, client and start, and converted without them', () => {
		const [, { node }] = states[0] as [string, Saved];
		const { cursor } = node;
		if (!isOldState(cursor)) throw new Error('It is not a state of 0.1.0');
		const identity = { event: 'uploadCompleted', client: 'client', start: 'start', filter: [] };
		const source = JSON.stringify(['https://service.example', 'client', 'now']);
		const digest = createHash('sha256').update(source).digest('base64url').slice(0, 16);
		expect(isFromSource({ ...cursor, source: digest }, { ...identity, source })).toBe(true);
		expect(isFromSource(cursor, { ...identity, source })).toBe(false);
		expect(convertOldState(cursor, { ...identity, source })).toMatchObject({ mark: cursor.mark });
	});
});

/** Runs the trigger's own poll in a small world, undisturbed or disturbed. */
import type { INodeExecutionData } from 'n8n-workflow';
import { Service } from '../../support/service/service.mts';
import type { SimRequest, SimResponse } from '../../support/service/request.mts';
import type { Host } from '../histories/lightTrigger.mts';
import { setClocks } from '../histories/product.mts';
import type { Item } from './oracle.mts';
import { SettableTrigger, type Kept, type NodeState } from './settableTrigger.mts';
import {
	FOLLOW_FOR,
	LOOKBACK,
	STUCK_AFTER,
	type Hour,
	type Plan,
	type SmallUpload,
	type SmallWorld,
} from './smallWorld.mts';

const HOUR = 3_600_000;
const BEGIN = Date.UTC(2026, 5, 15, 10);
const ID = '00000000-0000-4000-8000-00000000000';

/** What happens to the trigger; requests are counted from 0. */
export type NodeStep =
	| { do: 'restart' | 'reactivate' | 'poll' | 'overlappingPolls' | 'discardedPoll' }
	| { do: 'failingPoll'; request: number }
	/** The request for followed uploads is answered like this. */
	| { do: 'unfollowingPoll'; answer: 'notFound' | 'empty' }
	/** An upload changes once this request has been answered. */
	| { do: 'slippingPoll'; request: number; at: number; upload: SmallUpload };

/** What came of it. */
export interface Taken {
	node: NodeState;
	/** What each poll emitted; undefined if it failed. */
	polls: Array<Item[] | undefined>;
	/** For each request, whether it asked for followed uploads. */
	requests: boolean[];
	/** Why a poll failed. */
	error?: unknown;
	/** A poll failed and changed the state. */
	hasLeftTraces: boolean;
}

export class SmallService implements Host {
	readonly history: Host['history'];
	/** Short secrets: preparing to redact longer ones takes half of a poll's time. */
	readonly service = { clientId: 'c', subscriptionKey: 'k', accessToken: 't' };
	private readonly simulated = new Service({
		record: false,
		settings: { tokenLifetimeMs: Infinity, unsortedDefault: 'newestFirst' },
	});
	private readonly trigger: SettableTrigger;
	private requests: boolean[] = [];
	private step: NodeStep = { do: 'poll' };

	constructor(plan: Plan) {
		const { durable, event, maxUploads, pageSize, startFrom } = plan;
		this.history = { durable, zone: 'UTC' };
		const { model } = this.simulated;
		model.addConnector({ name: 'cloudbooks' });
		plan.uploads.forEach((_, at) => model.addEngagement({ id: at + 1 }));
		const options = {
			lookback: LOOKBACK * 60,
			followFor: FOLLOW_FOR / 24,
			stuckAfter: STUCK_AFTER,
			maxUploadsPerPoll: maxUploads,
			pageSize,
		};
		this.trigger = new SettableTrigger(this, { event, startFrom, output: 'raw', options });
	}

	get now(): number {
		return this.simulated.model.now;
	}

	/** Runs something while n8n's clocks show the time of the world. */
	async whileShown<T>(run: () => Promise<T>): Promise<T> {
		const reset = setClocks(
			() => this.now,
			() => this.now,
		);
		return await run().finally(reset);
	}

	async take(world: SmallWorld, node: NodeState, step: NodeStep): Promise<Taken> {
		this.show(world);
		await this.trigger.set(node);
		this.requests = [];
		this.step = step;
		let error: unknown;
		const poll = async (): Promise<Item[] | undefined> => {
			try {
				if (step.do !== 'discardedPoll')
					return ((await this.trigger.poll()) ?? []).map((item) => itemOf(item));
				await this.trigger.discardedPoll();
			} catch (thrown) {
				error = thrown;
			}
			return undefined;
		};
		if (step.do === 'restart') this.trigger.restart();
		if (step.do === 'reactivate') this.trigger.reactivate();
		const count = { restart: 0, reactivate: 0, overlappingPolls: 2 }[step.do as string] ?? 1;
		const polls = await Promise.all(Array.from({ length: count }, poll));
		const after = this.trigger.get();
		const hasLeftTraces =
			error !== undefined && count === 1 && cursorsOf(node) !== cursorsOf(after);
		return { node: after, polls, requests: this.requests, error, hasLeftTraces };
	}

	answer(request: SimRequest): SimResponse {
		const { step, simulated } = this;
		const place = this.requests.length;
		const isFollowing = request.query.engagementId !== undefined;
		this.requests.push(isFollowing);
		const isUnfollowing = isFollowing && step.do === 'unfollowingPoll';
		const isFailing = step.do === 'failingPoll' && step.request === place;
		if (isFailing || (isUnfollowing && step.answer === 'notFound'))
			simulated.fail({}, { kind: 'status', status: 404 });
		const headers = {
			authorization: `Bearer ${simulated.accessToken}`,
			'ocp-apim-subscription-key': simulated.subscriptionKey,
		};
		const path = request.path.replace('/c/', `/${simulated.clientId}/`);
		const { response } = simulated.handle({ ...request, headers, path });
		if (response === undefined) throw new Error('There is no response');
		if (step.do === 'slippingPoll' && step.request === place) this.put(step.upload, step.at);
		if (!isUnfollowing || step.answer !== 'empty') return response;
		return { ...response, body: { content: [], last: true } };
	}

	/** Makes the service show a world. */
	private show({ now, ordering, uploads }: SmallWorld): void {
		const { model, settings } = this.simulated;
		this.simulated.clearFaults();
		settings.honourOrderBy = ordering === 'honoured';
		settings.rejectOrderBy = ordering === 'refused';
		model.setClock(timeOf(now));
		for (const { uploadId } of [...model.uploads.all]) model.deleteUpload(uploadId);
		model.uploads.added = 0;
		for (const [at, upload] of uploads.entries()) if (upload) this.put(upload, at);
	}

	private put(upload: SmallUpload, at: number): void {
		const { model } = this.simulated;
		const uploadId = `${ID}${at}`;
		if (upload.isDeleted) {
			if (model.uploads.get(uploadId)) model.deleteUpload(uploadId);
			return;
		}
		if (!model.uploads.get(uploadId))
			model.addCompletedUpload({ uploadId, engagementId: at + 1, connectorName: 'cloudbooks' });
		const { createdAt, completedAt, status } = upload;
		model.updateUpload(uploadId, {
			status,
			createdAt: timeOf(createdAt),
			completedAt: completedAt === null ? null : timeOf(completedAt),
		});
	}
}

function timeOf(hour: Hour): number {
	return BEGIN + hour * HOUR;
}

function itemOf({ json }: INodeExecutionData): Item {
	const { uploadId, uploadStatus, completionDate, previousStatus } = json;
	return {
		upload: Number(String(uploadId).at(-1)),
		status: String(uploadStatus),
		completedAt:
			completionDate == null ? null : (Date.parse(`${String(completionDate)}Z`) - BEGIN) / HOUR,
		previousStatus: previousStatus as Item['previousStatus'],
	};
}

/** What a failed poll must not change. */
function cursorsOf(node: NodeState): string {
	const { saved, live, last } = JSON.parse(node) as Kept;
	const cursors = [saved, live ?? saved].map(({ node: own, global }) => [own.cursor, global]);
	return JSON.stringify([cursors, last]);
}

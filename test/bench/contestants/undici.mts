import type { IDataObject } from 'n8n-workflow';
import { Agent, request } from 'undici';

import {
	mapOrdered,
	RequestPool,
	systemClock,
} from '../../../nodes/EngagementUploads/transport/http/pool.ts';
import type { Contestant } from '../contestant-process.mts';
import type { Target } from '../service-process.mts';
import { MAX_PARALLEL, PAGE_SIZE, type Task, type Workload } from '../workload.mts';
import { CONNECTOR, itemsOf } from './items.mts';

const IDS_PER_REQUEST = 100;

type Ask = (path: string, body?: object) => Promise<unknown>;

/**
 * Bare undici, with the concurrency of this project's node: fewer requests at the start, then more.
 * Connections are not reused (`pipelining: 0`), since n8n's helpers do not reuse them either.
 */
export async function prepareUndici(target: Target, { task }: Workload): Promise<Contestant> {
	const ask = asker(target);
	return async () => {
		const pool = new RequestPool(MAX_PARALLEL, systemClock);
		return await perform(task, target, async (path, body) =>
			pool.run(async (slot) => {
				const answer = await ask(path, body);
				slot.onSuccess();
				return answer;
			}),
		);
	};
}

function asker({ url, accessToken, subscriptionKey }: Target): Ask {
	const dispatcher = new Agent({ connections: MAX_PARALLEL, pipelining: 0 });
	const headers = {
		authorization: `Bearer ${accessToken}`,
		'ocp-apim-subscription-key': subscriptionKey,
	};
	return async (path, sent) => {
		const { statusCode, body } = await request(`${url}${path}`, {
			dispatcher,
			headers: sent ? { ...headers, 'content-type': 'application/json' } : headers,
			...(sent ? { method: 'POST', body: JSON.stringify(sent) } : {}),
		});
		if (statusCode >= 300) throw new Error(`The service answered ${statusCode}`);
		return await body.json();
	};
}

async function perform(task: Task, { clientId }: Target, ask: Ask): Promise<number> {
	const client = `/v1/clients/${clientId}`;
	if (task.kind === 'uploads') {
		const page = (number: number) => `${client}/uploads?page=${number}&size=${PAGE_SIZE}`;
		const first = await ask(page(0));
		const { totalPages } = first as { totalPages: number };
		const others = numbers(totalPages).slice(1).map(page);
		return contentOf([
			first,
			...(await mapOrdered(others, MAX_PARALLEL, async (path) => await ask(path))),
		]);
	}
	if (task.kind === 'company') {
		const paths = numbers(task.engagements).map((n) => `/v1/engagements/${n + 1}/companyDetails`);
		return (await mapOrdered(paths, MAX_PARALLEL, async (path) => await ask(path))).length;
	}
	if (task.kind === 'lastUpload') {
		const paths = numbers(Math.ceil(task.engagements / IDS_PER_REQUEST)).map((batch) => {
			const ids = numbers(IDS_PER_REQUEST).map((n) => batch * IDS_PER_REQUEST + n + 1);
			return `${client}/lastUploads?engagementIds=${ids.join(',')}&page=0&size=${ids.length}`;
		});
		return contentOf(await mapOrdered(paths, MAX_PARALLEL, async (path) => await ask(path)));
	}
	if (task.kind === 'create') {
		const create = async (item: IDataObject) =>
			await ask(`${client}/engagements`, { sme: { name: item.name } });
		return (await mapOrdered(itemsOf(task), MAX_PARALLEL, create)).length;
	}
	if (task.kind === 'refresh') {
		const refresh = async ({ engagementId }: IDataObject) =>
			await ask(`/v1/engagements/${engagementId}/connectors/${CONNECTOR}/refresh`, {});
		return (await mapOrdered(itemsOf(task), MAX_PARALLEL, refresh)).length;
	}
	throw new Error(`There is no undici version of ${task.kind}`);
}

function numbers(count: number): number[] {
	return Array.from({ length: count }, (_, index) => index);
}

function contentOf(pages: unknown[]): number {
	return pages.flatMap((page) => (page as { content: unknown[] }).content).length;
}

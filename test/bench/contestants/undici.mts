import { Agent, request } from 'undici';

import {
	mapOrdered,
	RequestPool,
	systemClock,
} from '../../../nodes/EngagementUploads/transport/pool.ts';
import type { Contestant } from '../contestant-process.mts';
import type { Target } from '../service-process.mts';
import { MOST_AT_ONCE, PAGE_SIZE, type Task } from '../works.mts';

const IDS_PER_REQUEST = 100;

type Ask = (path: string) => Promise<unknown>;

/*
 * undici with nothing around it, as fast as these requests can be sent: 64 at once from the start.
 * No connection is kept (`pipelining: 0`), since n8n's helpers keep none either.
 */
export async function prepareUndici(target: Target, task: Task): Promise<Contestant> {
	const ask = asker(target);
	return async () => await perform(task, target, ask);
}

/** The same with as many requests at once as this project's node has: 8 at the start, then more. */
export async function prepareGrowingUndici(target: Target, task: Task): Promise<Contestant> {
	const ask = asker(target);
	return async () => {
		const pool = new RequestPool(MOST_AT_ONCE, systemClock, () => {});
		return await perform(task, target, async (path) =>
			pool.run(async (slot) => {
				const answer = await ask(path);
				slot.onSuccess();
				return answer;
			}),
		);
	};
}

function asker({ url, accessToken, subscriptionKey }: Target): Ask {
	const dispatcher = new Agent({ connections: MOST_AT_ONCE, pipelining: 0 });
	const headers = {
		authorization: `Bearer ${accessToken}`,
		'ocp-apim-subscription-key': subscriptionKey,
	};
	return async (path) => {
		const { statusCode, body } = await request(`${url}${path}`, { dispatcher, headers });
		if (statusCode !== 200) throw new Error(`The service answered ${statusCode}`);
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
		return contentOf([first, ...(await mapOrdered(others, MOST_AT_ONCE, ask))]);
	}
	if (task.kind === 'company') {
		const paths = numbers(task.engagements).map((n) => `/v1/engagements/${n + 1}/companyDetails`);
		return (await mapOrdered(paths, MOST_AT_ONCE, ask)).length;
	}
	if (task.kind === 'lastUpload') {
		const paths = numbers(Math.ceil(task.engagements / IDS_PER_REQUEST)).map((batch) => {
			const ids = numbers(IDS_PER_REQUEST).map((n) => batch * IDS_PER_REQUEST + n + 1);
			return `${client}/lastUploads?engagementIds=${ids.join(',')}&page=0&size=${ids.length}`;
		});
		return contentOf(await mapOrdered(paths, MOST_AT_ONCE, ask));
	}
	throw new Error(`undici does not do ${task.kind}`);
}

function numbers(count: number): number[] {
	return Array.from({ length: count }, (_, index) => index);
}

function contentOf(pages: unknown[]): number {
	return pages.flatMap((page) => (page as { content: unknown[] }).content).length;
}

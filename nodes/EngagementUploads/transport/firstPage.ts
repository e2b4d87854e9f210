/**
 * The first page of a list shows what the service takes: some services refuse to sort, or a page size. Only what is
 * refused is left out, of this and all later lists of the client.
 */
import type { ServiceClient } from './client';
import { findFailure, findFault, findStatus, rethrow, ServiceFailure } from './errors';
import { FAILURES } from './failures';
import type { Call, Optional } from './request';

/** Requests a page without some parameters. */
type RequestPage<Page> = (
	number: number,
	without: readonly Optional[],
	retries: Call['retries'],
) => Promise<Page>;

/** What is left out, in the order in which that is tried. */
const OMISSIONS: Array<readonly Optional[]> = [[], ['orderBy'], ['size'], ['orderBy', 'size']];

/**
 * Requests the first page. If it is refused, requests it without each of the parameters that may be why, and without
 * both.
 * @throws the first refusal if there are only refusals, else what failed in another way
 */
export async function requestFirst<Page>(
	{ leftOut }: Pick<ServiceClient, 'leftOut'>,
	list: Call & { pageSize?: number },
	request: RequestPage<Page>,
): Promise<Page> {
	const isSent = { orderBy: list.query?.orderBy !== undefined, size: list.pageSize !== undefined };
	const optional = (list.optional ?? ['size']).filter((name) => isSent[name] && !leftOut.has(name));
	const suspects = new Set<Optional>();
	let first: ServiceFailure | undefined;
	for (const without of OMISSIONS) {
		if (!without.every((name) => suspects.has(name))) continue;
		const sent = optional.filter((name) => !without.includes(name));
		const retries: Call['retries'] = (failure) =>
			!(sent.includes('orderBy') && isOddRefusal(failure.status)) &&
			(list.retries?.(failure) ?? true);
		try {
			const page = await request(0, without, retries);
			for (const name of without) leftOut.add(name);
			return page;
		} catch (error) {
			// If another refusal comes without a size, the size had been refused, and now something else is.
			if (without.includes('size') && isAnother(error, first)) leftOut.add('size');
			const reasons = sent.filter((name) => MAY_BE_ABOUT[name](error));
			if (isRefusal(error)) first ??= error;
			else if (reasons.length === 0) rethrow(error);
			for (const name of reasons) suspects.add(name);
		}
	}
	rethrow(first && suspects.has('size') ? namePageSize(first) : first);
}

/** Statuses of rejections that an order cannot cause. */
const NOT_ABOUT_ORDER = [403, 404, 409];

/** Whether a failure may be about a parameter, rather than the token, the address or the rate. */
const MAY_BE_ABOUT: Record<Optional, (error: unknown) => boolean> = {
	orderBy(error) {
		const status = findStatus(error) ?? 0;
		const hasOtherCause = findFailure(error)?.cause !== undefined;
		const isRejection = status >= 400 && !hasOtherCause && !NOT_ABOUT_ORDER.includes(status);
		return isRejection || isOddRefusal(status);
	},
	size: isRefusal,
};

/** Some services respond like this if asked to sort by a field by which they cannot. */
function isOddRefusal(status = 0): boolean {
	return status === 500 || status === 501;
}

/** Whether the service has refused what was asked for, which may be the page size. */
function isRefusal(error: unknown): error is ServiceFailure {
	return [400, 422].includes(findStatus(error) ?? 0);
}

/** Whether this is a rejection for another reason. */
function isAnother(error: unknown, first?: ServiceFailure): boolean {
	const isRejection = error instanceof ServiceFailure && findFault(error) === 'request';
	return isRejection && error.message !== first?.message;
}

/** What says no more than the status: its name, and a body of JSON without words. */
const NO_REASON = /^(bad request|unprocessable \w+)$|"\w+":|\bnull\b/gi;

/** Names Page Size in the advice for a refusal that speaks of a size, or gives no reason. */
function namePageSize(error: ServiceFailure): ServiceFailure {
	const { advice, serviceMessage: said = '' } = error.texts;
	const mayBeSize = /size/i.test(said) || !/\p{L}/u.test(said.replace(NO_REASON, ''));
	// Other advice, such as that of an expired token, leads to the cause.
	const isUsual = advice === FAILURES.invalid.advice;
	return mayBeSize && isUsual ? error.withAdvice(`${advice}, and Page Size in Options`) : error;
}

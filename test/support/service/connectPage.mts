/** The pages to which the links for customers lead, instead of those of an accounting package. */
import type { SimRequest, SimResponse } from './request.mts';
import type { Service } from './service.mts';

/**
 * The page of a link, which is for an upload, or for an engagement whose access has lapsed. The customer
 * opens it without a key or a token. Undefined for other paths.
 */
export function connectPage({ model }: Service, { path }: SimRequest): SimResponse | undefined {
	const [, id] = /^\/(?:authorise|client)\/([^/]+)$/.exec(path) ?? [];
	if (id === undefined) return undefined;
	const link = model.links.get(id);
	const engagement = model.engagements.get(link?.engagementId ?? Number(id));
	const respond = (status: number, body: string): SimResponse => ({
		status,
		headers: { 'content-type': 'text/plain; charset=utf-8' },
		body,
	});
	if (engagement === undefined) return respond(404, 'This link is not valid.');
	if (link === undefined) model.refreshOutcomes.set(engagement.id, 'completes');
	else link.open();
	const [does, follows] =
		link === undefined
			? ['sign in again', 'refreshes work again']
			: ['share the data', 'the upload goes on'];
	const says = `Here your customer would ${does}. You have opened this page, so ${follows}.`;
	return respond(200, `Simulated service: ${engagement.name}\n\n${says}`);
}

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
	const upload = model.uploads.get(id);
	const engagement = model.engagements.get(upload?.engagementId ?? Number(id));
	const headers = { 'content-type': 'text/html; charset=utf-8' };
	if (engagement === undefined) return { status: 404, headers, body: 'This link is not valid.' };
	if (upload === undefined) model.refreshOutcomes.set(engagement.id, 'completes');
	else model.shareData(upload.uploadId);
	const [does, follows] =
		upload === undefined
			? ['sign in again', 'refreshes work again']
			: ['share the data', 'the upload goes on'];
	const says = `Here your customer would ${does}. You have opened this page, so ${follows}.`;
	return { status: 200, headers, body: render(engagement.name, says) };
}

function render(customer: string, says: string): string {
	const name = customer.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
	return `<!doctype html>
<html lang="en">
<title>Simulated service</title>
<style>body { font: 18px/1.5 system-ui, sans-serif; max-width: 32rem; margin: 4rem auto; padding: 0 1rem }</style>
<h1>${name}</h1>
<p>${says}</p>
</html>`;
}

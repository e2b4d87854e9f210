/** The pages to which the links for customers lead, instead of those of an accounting package. */
import type { SimRequest, SimResponse } from './request.mts';
import type { Service } from './service.mts';

/** What a link is for, and what happens when its page is opened. */
interface Link {
	customer: string;
	says: string;
	opened: () => void;
}

/** The page of a link, which the customer opens without a key or a token; undefined for other paths. */
export function connectPage(service: Service, { path }: SimRequest): SimResponse | undefined {
	const [, id] = /^\/(?:authorise|client)\/([^/]+)$/.exec(path) ?? [];
	if (id === undefined) return undefined;
	const link = findLink(service, id);
	const headers = { 'content-type': 'text/html; charset=utf-8' };
	if (link === undefined) return { status: 404, headers, body: 'This link is not valid.' };
	link.opened();
	return { status: 200, headers, body: render(link) };
}

/** A link is for an upload, or for an engagement whose access has lapsed. */
function findLink({ model }: Service, id: string): Link | undefined {
	const upload = model.uploads.get(id);
	const engagement = model.engagements.get(upload?.engagementId ?? Number(id));
	if (engagement === undefined) return undefined;
	const customer = engagement.name;
	if (upload === undefined)
		return {
			customer,
			says: 'Here your customer would sign in again. You have opened this page, so refreshes work again.',
			opened: () => model.refreshOutcomes.set(engagement.id, 'completes'),
		};
	return {
		customer,
		says: 'Here your customer would share the data. You have opened this page, so the upload goes on.',
		opened: () => model.shareData(upload.uploadId),
	};
}

function render({ customer, says }: Link): string {
	const escape = (text: string) =>
		text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Simulated service</title>
<style>body { font: 18px/1.5 system-ui, sans-serif; max-width: 32rem; margin: 4rem auto; padding: 0 1rem }</style>
</head>
<body>
<h1>${escape(customer)}</h1>
<p>${says}</p>
</body>
</html>`;
}

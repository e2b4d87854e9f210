import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { mailServer } from './mailServer.mts';
import { shown } from './shown.mts';
import { Spreadsheet, Workbook, type CellsBody } from './spreadsheet.mts';
import { listen } from './standIn.mts';

/**
 * Where examples send what they have to say: stand-ins for Slack, two online sheets and a mail
 * server.
 */
export interface Receivers {
	/** The address of all stand-ins but the mail server. */
	url: string;
	mailPort: number;
	sheet: Spreadsheet;
	workbook: Workbook;
	/** Settings for an n8n whose nodes use them. */
	env: Record<string, string>;
}

/** What is read from a body: a Slack message's text, or cells. */
interface Body extends CellsBody {
	text?: string;
}

/**
 * Starts the stand-ins, on free ports by default; `onMessage` gets every message and email, as its
 * readers see it.
 */
export async function startReceivers(
	onMessage: (message: string) => void,
	ports: { chat?: number; mail?: number } = {},
): Promise<Receivers> {
	const [sheet, workbook] = [new Spreadsheet(), new Workbook()];
	const answer = (method: string, url: URL, body: Body): object | undefined => {
		if (url.pathname !== '/api/chat.postMessage')
			return sheet.answer({ method, url, body }) ?? workbook.answer({ method, url, body });
		onMessage(shown(body.text ?? ''));
		return { ok: true };
	};
	const server = createServer((request, response) => {
		const { method = '', headers } = request;
		const url = new URL(request.url ?? '', `http://${headers.host}`);
		const respond = (body: unknown) => {
			const found = answer(method, url, body as Body);
			response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
			response.end(JSON.stringify(found ?? { error: `${method} ${url.pathname} is not known` }));
		};
		if (method === 'GET') respond({});
		else void json(request).then(respond);
	});
	const port = await listen(server, ports.chat);
	const mailPort = await listen(mailServer(onMessage), ports.mail);
	const preloaded = pathToFileURL('test/n8n/standIns/redirectedHosts.mts').href;
	const env = { NODE_OPTIONS: `--import=${preloaded}`, STAND_INS_PORT: String(port) };
	return { url: `http://127.0.0.1:${port}`, mailPort, sheet, workbook, env };
}

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
	close(): Promise<void>;
}

/** The hosts of nodes that take no other address. */
const FIXED_HOSTS = ['slack.com', 'sheets.googleapis.com'];

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
	const server = createServer((request, response) => {
		const { method = '', headers } = request;
		const url = new URL(request.url ?? '', `http://${headers.host}`);
		const respond = (answer: object | undefined) => {
			response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
			response.end(JSON.stringify(answer ?? { error: `${method} ${url.pathname} is not known` }));
		};
		const read = async () => {
			const body = (method === 'GET' ? {} : await json(request)) as Body;
			const message = messageIn(url.pathname, body);
			if (message === undefined)
				return sheet.answer({ method, url, body }) ?? workbook.answer({ method, url, body });
			onMessage(message);
			return { ok: true, id: '1' };
		};
		read().then(respond, (error: unknown) => response.destroy(error as Error));
	});
	const web = await listen(server, ports.chat);
	const mail = await listen(mailServer(onMessage), ports.mail);
	const hosts = Object.fromEntries(FIXED_HOSTS.map((host) => [host, web.port]));
	return {
		url: `http://127.0.0.1:${web.port}`,
		mailPort: mail.port,
		sheet,
		workbook,
		env: {
			NODE_OPTIONS: `--import=${pathToFileURL('test/n8n/standIns/redirectedHosts.mts').href}`,
			REDIRECTED_HOSTS: JSON.stringify(hosts),
		},
		close: async () => {
			await web.close();
			await mail.close();
		},
	};
}

/** What a request says to its readers, or undefined if it is for a sheet or not known. */
function messageIn(pathname: string, body: Body): string | undefined {
	if (pathname === '/api/chat.postMessage') return shown(body.text ?? '');
	return undefined;
}

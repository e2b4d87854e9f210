import { existsSync } from 'node:fs';
import path from 'node:path';
import {
	chromium,
	type Browser,
	type BrowserContext,
	type BrowserContextOptions,
} from 'playwright-core';
import { GENEROUS_TIMEOUT } from '../process/waitFor.mts';

/** Chromium's name on various systems. */
const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome'];
const VIEWPORT = { width: 1280, height: 800 };
/** The folder for the documents' pictures, such as `docs`; by default, they are discarded. */
export const PICTURES = process.env.ENGAGEMENT_UPLOADS_PICTURES;
/** The pixels per pixel of the page: text in a document's picture is sharp. */
const SCALE = PICTURES === undefined ? 1 : 2;

/** Starts the installed Chromium without a window. */
export async function startBrowser(): Promise<Browser> {
	return await chromium.launch({ executablePath: findProgram(), timeout: GENEROUS_TIMEOUT });
}

/** A new visitor without cookies, for whom pages look the same on every machine. */
export async function newVisitor(
	browser: Browser,
	options: BrowserContextOptions = {},
): Promise<BrowserContext> {
	const context = await browser.newContext({
		viewport: VIEWPORT,
		deviceScaleFactor: SCALE,
		locale: 'en-GB',
		timezoneId: 'UTC',
		colorScheme: 'light',
		reducedMotion: 'reduce',
		// Without “Headless”, since n8n ignores what bots answer.
		userAgent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${browser.version()} Safari/537.36`,
		...options,
	});
	context.setDefaultTimeout(GENEROUS_TIMEOUT);
	return context;
}

function findProgram(): string {
	const folders = (process.env.PATH ?? '').split(path.delimiter);
	const candidates = folders.flatMap((folder) => PROGRAMS.map((name) => path.join(folder, name)));
	const found = process.env.CHROMIUM ?? candidates.find((candidate) => existsSync(candidate));
	if (found !== undefined) return found;
	throw new Error(
		'The tests in the browser need Chromium. Install it, for example with “sudo apt-get install chromium”, or set CHROMIUM to its path.',
	);
}

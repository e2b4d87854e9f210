import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext } from 'playwright-core';
import { ownEnvironment, runCommand, type Say } from './command.mts';

const CHROMIUM = '/usr/bin/chromium';
const VIEWPORT = { width: 1280, height: 800 };
const PATIENCE = 60_000;

/** Starts Debian's chromium without a window, installed first where that can be done. */
export async function startBrowser(say: Say): Promise<Browser> {
	if (!existsSync(CHROMIUM)) await installChromium(say);
	return await chromium.launch({ executablePath: CHROMIUM, timeout: PATIENCE });
}

/** A visitor without cookies, for whom all that the pictures show is the same everywhere. */
export async function newVisitor(browser: Browser): Promise<BrowserContext> {
	const context = await browser.newContext({
		viewport: VIEWPORT,
		locale: 'en-GB',
		timezoneId: 'UTC',
		colorScheme: 'light',
		reducedMotion: 'reduce',
	});
	context.setDefaultTimeout(PATIENCE);
	return context;
}

async function installChromium(say: Say): Promise<void> {
	if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
		throw new Error(
			`The browser tests need ${CHROMIUM}: install it as root, with “apt-get install chromium”`,
		);
	}
	say('Installing chromium …');
	const env = { ...ownEnvironment(), DEBIAN_FRONTEND: 'noninteractive' };
	await runCommand('apt-get', ['update', '-qq'], { env });
	await runCommand('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
		env,
	});
}

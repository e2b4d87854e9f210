import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { newVisitor } from './browser.mts';
import { ChatPanel } from './chat.mts';
import { byId } from './elements.mts';
import { NodeCreator } from './nodeCreator.mts';
import { NodePanel } from './panel.mts';
import type { SavedWorkflow } from '../workflows/rest.mts';
import { OWNER } from '../process/sandbox.mts';

/** n8n's editor, operated as a person would. */
export class Editor {
	private constructor(
		private readonly page: Page,
		private readonly url: string,
	) {}

	/** Logs in as the owner through the form, which opens the list of workflows. */
	static async logIn(
		browser: Browser,
		url: string,
		options: BrowserContextOptions = {},
	): Promise<Editor> {
		const page = await (await newVisitor(browser, options)).newPage();
		await page.goto(`${url}/signin`);
		await page.locator('input[name=emailOrLdapLoginId]').fill(OWNER.email);
		await page.locator('input[name=password]').fill(OWNER.password);
		await byId(page, 'form-submit-button').click();
		await page.waitForURL('**/home/workflows');
		return new Editor(page, url);
	}

	/** Opens a workflow at its address. */
	async openWorkflow({ id }: Pick<SavedWorkflow, 'id'>): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${id}`);
		await byId(this.page, 'canvas-node').first().waitFor();
	}

	/** Opens a new workflow. */
	async openBlank(): Promise<void> {
		await this.page.goto(`${this.url}/workflow/new`);
		await this.page.getByText('Add first step…').waitFor();
	}

	/** Clicks “Add first step…” in a new workflow, and finds a section of a node there. */
	async addFirstStep(node: string, section: string): Promise<NodeCreator> {
		await this.openBlank();
		return await NodeCreator.openAt(this.page, node, section);
	}

	/** The names of the nodes on the canvas. */
	async nodeNames(): Promise<string[]> {
		const nodes = await byId(this.page, 'canvas-node').all();
		return await Promise.all(
			nodes.map(async (node) => (await node.getAttribute('data-node-name')) ?? ''),
		);
	}

	/** Opens a node's panel with a double click on the node. */
	async openNode(name: string): Promise<NodePanel> {
		await this.buildNode(name).dblclick();
		return await NodePanel.opened(this.page);
	}

	/** Opens the chat of a workflow that starts with one. */
	async openChat(): Promise<ChatPanel> {
		await byId(this.page, 'workflow-chat-button').click();
		return new ChatPanel(this.page);
	}

	/** Gives the window another size. */
	async resize(size: { width: number; height: number }): Promise<void> {
		await this.page.setViewportSize(size);
	}

	/** Takes a picture of the whole window. */
	async screenshot(path: string): Promise<void> {
		await this.page.screenshot({ path, animations: 'disabled', scale: 'css' });
	}

	private buildNode(name: string): Locator {
		return this.page.locator(`[data-test-id=canvas-node][data-node-name="${name}"]`);
	}
}

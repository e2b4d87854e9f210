import type { Locator, Page } from 'playwright-core';
import { byId } from './browserElements.mts';
import { NodePanel } from './browserPanel.mts';

/** The list on the right from which nodes are added, at a node that was found by its name. */
export class NodeCreator {
	private constructor(private readonly page: Page) {}

	/** Opens it in an empty workflow, and shows what a node offers. */
	static async openAt(page: Page, node: string): Promise<NodeCreator> {
		await byId(page, 'canvas-add-button').click();
		const creator = new NodeCreator(page);
		await byId(creator.list, 'node-creator-search-bar').fill(node);
		await creator.list.getByText(node, { exact: true }).click();
		await creator.sections.first().waitFor();
		return creator;
	}

	/** The entries of a section, such as Triggers. */
	async listEntries(section: string): Promise<string[]> {
		return await (await this.expand(section)).allInnerTexts();
	}

	/** Takes a picture of a section that is open, as high as its entries need it. */
	async picture(section: string, path: string): Promise<void> {
		const { width, height } = this.page.viewportSize() ?? { width: 0, height: 0 };
		await this.page.setViewportSize({ width, height: 2 * height });
		await this.page.mouse.move(0, 0);
		await this.find(section).screenshot({ path, animations: 'disabled' });
		await this.page.setViewportSize({ width, height });
	}

	/** Adds an entry to the workflow, which opens its panel. */
	async add(section: string, entry: string): Promise<NodePanel> {
		await (await this.expand(section)).getByText(entry, { exact: true }).click();
		const panel = new NodePanel(this.page);
		await panel.opened();
		return panel;
	}

	/** @returns the entries of a section, after opening it if it is closed */
	private async expand(section: string): Promise<Locator> {
		const wanted = this.find(section);
		const isClosed = (await wanted.getAttribute('data-category-collapsed')) === 'true';
		if (isClosed) await byId(wanted, 'node-creator-category-item').first().click();
		const entries = byId(wanted, 'node-creator-item-name');
		await entries.first().waitFor();
		return entries;
	}

	private find(section: string): Locator {
		return this.sections.filter({ hasText: section }).first();
	}

	private get list(): Locator {
		return byId(this.page, 'node-creator');
	}

	private get sections(): Locator {
		return this.list.locator('[data-category-collapsed]');
	}
}

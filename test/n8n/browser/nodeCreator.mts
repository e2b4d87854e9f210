import type { Locator, Page } from 'playwright-core';
import { byId } from './elements.mts';
import { NodePanel } from './panel.mts';

const ENTRY = 'node-creator-item-name';

/** The list on the right from which nodes are added, at a section of a node, such as Triggers. */
export class NodeCreator {
	private constructor(
		private readonly page: Page,
		private readonly section: Locator,
	) {}

	/** Opens it in an empty workflow, finds a node by its name, and opens the section if it is closed. */
	static async openAt(page: Page, node: string, title: string): Promise<NodeCreator> {
		await byId(page, 'canvas-add-button').click();
		const list = byId(page, 'node-creator');
		await byId(list, 'node-creator-search-bar').fill(node);
		await list.getByText(node, { exact: true }).click();
		const section = list.locator('[data-category-collapsed]').filter({ hasText: title }).first();
		if ((await section.getAttribute('data-category-collapsed')) === 'true')
			await byId(section, 'node-creator-category-item').first().click();
		await byId(section, ENTRY).first().waitFor();
		return new NodeCreator(page, section);
	}

	/** Points at an entry. */
	async pointAt(entry: string): Promise<void> {
		const found = byId(this.section, ENTRY).getByText(entry, { exact: true });
		await found.scrollIntoViewIfNeeded();
		await found.hover();
	}

	/** Adds an entry to the workflow, which opens its panel. */
	async add(entry: string): Promise<NodePanel> {
		await byId(this.section, ENTRY).getByText(entry, { exact: true }).click();
		return await NodePanel.opened(this.page);
	}

	/** Takes a picture of the section, as high as its entries need it. */
	async picture(path: string): Promise<void> {
		const { width, height } = this.page.viewportSize() ?? { width: 0, height: 0 };
		await this.page.setViewportSize({ width, height: 2 * height });
		await this.page.mouse.move(0, 0);
		await this.section.screenshot({ path, animations: 'disabled' });
		await this.page.setViewportSize({ width, height });
	}
}

import type { Locator, Page } from 'playwright-core';
import { CredentialForm } from './browserCredential.mts';

/** The element with one of the test ids that n8n's own tests use. */
export function byId(within: Page | Locator, id: string): Locator {
	return within.locator(`[data-test-id="${id}"]`);
}

/** What stands at the right edge, the button that leads to the next node among it (pixels). */
const RIGHT_EDGE = 34;
const TOAST = '.el-notification';

/** A node's open panel: input to the left, parameters in the middle, output to the right. */
export class NodePanel {
	constructor(private readonly page: Page) {}

	async opened(): Promise<void> {
		await byId(this.page, 'node-parameters').waitFor();
	}

	async close(): Promise<void> {
		await byId(this.page, 'ndv-close-button').click();
		await byId(this.page, 'node-parameters').waitFor({ state: 'detached' });
	}

	/** The fields that the previous node is said to give, before it has run. */
	async previewOfInput(): Promise<string[]> {
		const input = byId(this.page, 'ndv-input-panel');
		await byId(input, 'schema-preview-warning').waitFor();
		return await byId(input, 'run-data-schema-node-name').allInnerTexts();
	}

	/** The options of a drop-down. */
	async optionsOf(parameter: string): Promise<string[]> {
		await this.parameter(parameter).click();
		const options = this.page.getByRole('option');
		await options.first().waitFor();
		const names = (await options.allInnerTexts()).map((text) => text.split('\n')[0] ?? '');
		await this.page.keyboard.press('Escape');
		await options.first().waitFor({ state: 'hidden' });
		return names;
	}

	/** Chooses an option of a drop-down by its name. */
	async choose(parameter: string, option: string): Promise<void> {
		await this.parameter(parameter).click();
		const name = this.page.getByText(option, { exact: true });
		await this.page.getByRole('option').filter({ has: name }).click();
		await this.page.getByRole('option').first().waitFor({ state: 'hidden' });
	}

	/** Types into a text field. */
	async fill(parameter: string, value: string): Promise<void> {
		await this.parameter(parameter).locator('input, textarea').fill(value);
	}

	/** Types into a locator's search, and takes the entry. @returns all entries that were found */
	async pick(parameter: string, search: string, entry: string): Promise<string[]> {
		await byId(byId(this.page, `resource-locator-${parameter}`), 'rlc-input').click();
		const entries = byId(this.page, 'rlc-item');
		await entries.first().waitFor();
		await byId(this.page, 'rlc-search').fill(search);
		const wanted = entries.filter({ hasText: entry });
		const others = entries.filter({ hasNotText: new RegExp(search, 'i') });
		await others.first().waitFor({ state: 'hidden' });
		await wanted.first().waitFor();
		const found = (await entries.allInnerTexts()).map((text) => text.trim());
		await wanted.first().click();
		return found;
	}

	/** Whether a parameter is shown. */
	async shows(parameter: string): Promise<boolean> {
		return await this.parameter(parameter).isVisible();
	}

	/** Runs the node; its result is there when this comes back. */
	async execute(): Promise<void> {
		await this.dismissToasts();
		await byId(this.page, 'node-execute-button').click();
		await this.page.locator(TOAST).first().waitFor();
		await byId(this.output, 'ndv-items-count').waitFor();
		await this.dismissToasts();
	}

	/** Above the output: `320 items`. */
	async itemCount(): Promise<string> {
		return (await byId(this.output, 'ndv-items-count').innerText()).trim();
	}

	/** The output as a table, first its head; no more rows than n8n puts on a page. */
	async table(): Promise<string[][]> {
		await byId(this.output, 'radio-button-table').click();
		const rows = await this.output.locator('table tr').all();
		const texts = rows.map(async (row) => await row.locator('th, td').allInnerTexts());
		return (await Promise.all(texts)).map((cells) => cells.slice(0, -1).map((cell) => cell.trim()));
	}

	/** Shows the output's fields, with the values of the first item. */
	async showFields(): Promise<void> {
		await byId(this.output, 'radio-button-schema').click();
		await byId(this.output, 'run-data-schema-node-name').first().waitFor();
	}

	/** What the panel shows of an error: the message, and what to do. */
	async error(): Promise<{ message: string; advice: string }> {
		return {
			message: await byId(this.output, 'node-error-message').innerText(),
			advice: await byId(this.output, 'node-error-description').innerText(),
		};
	}

	async openCredential(): Promise<CredentialForm> {
		await byId(this.page, 'credential-edit-button').click();
		const form = new CredentialForm(this.page);
		await form.opened();
		return form;
	}

	/** A picture of parameters and output, the latter given more room than the input. */
	async picture(path: string): Promise<void> {
		await byId(this.page, 'node-credentials-select').scrollIntoViewIfNeeded();
		const handle = byId(this.page, 'panel-drag-button');
		const from = await handle.boundingBox();
		if (from === null) throw new Error('The panel cannot be moved');
		await this.page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
		await this.page.mouse.down();
		await this.page.mouse.move(0, from.y, { steps: 5 });
		await this.page.mouse.up();
		await this.page.mouse.move(640, 795);
		const left = await byId(this.page, 'node-parameters').boundingBox();
		const right = await this.output.boundingBox();
		if (left === null || right === null) throw new Error('The panel is not there');
		const width = right.x + right.width - RIGHT_EDGE - left.x;
		const clip = { x: left.x, y: right.y, width, height: right.height };
		await this.page.screenshot({ path, clip, animations: 'disabled' });
	}

	/** Closes what n8n tells at the corner: the next to come is then that of the next run. */
	private async dismissToasts(): Promise<void> {
		const buttons = this.page.locator(`${TOAST} .el-notification__closeBtn`);
		await buttons.evaluateAll((all) => all.forEach((button) => button.click()));
		await this.page.waitForFunction(`document.querySelector('${TOAST}') === null`);
	}

	private get output(): Locator {
		return byId(this.page, 'output-panel');
	}

	private parameter(name: string): Locator {
		return byId(this.page, `parameter-input-${name}`);
	}
}

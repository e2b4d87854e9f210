import type { Locator, Page } from 'playwright-core';
import { waitUntil } from './waitFor.mts';

/** The element with one of the test ids that n8n's own tests use. */
export function byId(within: Page | Locator, id: string): Locator {
	return within.locator(`[data-test-id="${id}"]`);
}

/** The width of the right edge, with the button that leads to the next node (pixels). */
const RIGHT_EDGE = 34;
const ATTEMPT_MS = 5000;
const TOAST = '.el-notification';

/** A node's open panel: input on the left, parameters in the middle, output on the right. */
export class NodePanel {
	constructor(private readonly page: Page) {}

	async opened(): Promise<void> {
		await byId(this.page, 'node-parameters').waitFor();
	}

	async close(): Promise<void> {
		await byId(this.page, 'ndv-close-button').click();
		await byId(this.page, 'node-parameters').waitFor({ state: 'detached' });
	}

	/** The fields that the previous node is expected to return, before it has run. */
	async previewOfInput(): Promise<string[]> {
		const input = byId(this.page, 'ndv-input-panel');
		await byId(input, 'schema-preview-warning').waitFor();
		return await byId(input, 'run-data-schema-node-name').allInnerTexts();
	}

	/** Chooses an option of a drop-down by its name. */
	async choose(parameter: string, option: string): Promise<void> {
		const options = await this.openOptions(parameter);
		const name = this.page.getByText(option, { exact: true });
		await options.filter({ has: name }).click();
		await options.first().waitFor({ state: 'hidden' });
	}

	/** Types into a locator's search and selects an entry. @returns all entries that were found */
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

	/**
	 * Opens the node's credential with the pencil next to it, changes a field and saves: n8n tests the
	 * credential, and says that it works.
	 */
	async editCredential(field: string, value: string): Promise<void> {
		await byId(this.page, 'credential-edit-button').click();
		const dialog = byId(this.page, 'credential-edit-dialog');
		const input = byId(dialog, `parameter-input-${field}`).locator('input, textarea');
		await input.fill(value);
		// n8n takes the value when the field is left; after saving, that would be an unsaved change.
		await input.blur();
		// The button is in the header, beside what n8n calls the dialog.
		await byId(this.page, 'credential-save-button').click();
		await byId(dialog, 'credentials-config-container-test-success').waitFor();
	}

	/** Opens the tab with the settings that n8n has for every node, such as On Error. */
	async openSettings(): Promise<void> {
		await byId(this.page, 'tab-settings').click();
	}

	/** Executes the node and waits for its result. */
	async execute(): Promise<void> {
		await this.dismissToasts();
		await byId(this.page, 'node-execute-button').click();
		await this.page.locator(TOAST).first().waitFor();
		await byId(this.output, 'ndv-items-count').waitFor();
		await this.dismissToasts();
	}

	/** The count above the output: `320 items`. */
	async itemCount(): Promise<string> {
		return (await byId(this.output, 'ndv-items-count').innerText()).trim();
	}

	/** The output as a table with its header row, and at most as many rows as n8n shows on a page. */
	async table(): Promise<string[][]> {
		await byId(this.output, 'radio-button-table').click();
		await this.output.locator('table td').first().waitFor();
		const rows = await this.output.locator('table tr').all();
		const texts = rows.map(async (row) => await row.locator('th, td').allInnerTexts());
		return (await Promise.all(texts)).map((cells) => cells.slice(0, -1).map((cell) => cell.trim()));
	}

	/** Shows the output's fields, with the values of the first item. */
	async showFields(): Promise<void> {
		await byId(this.output, 'radio-button-schema').click();
		await byId(this.output, 'run-data-schema-node-name').first().waitFor();
	}

	/** The error that the panel shows: the message, and what to do. */
	async error(): Promise<{ message: string; advice: string }> {
		return {
			message: await byId(this.output, 'node-error-message').innerText(),
			advice: await byId(this.output, 'node-error-description').innerText(),
		};
	}

	/** Takes a picture of the parameters and the output, after making more room for the output. */
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
		if (left === null || right === null) throw new Error('The panel is not open');
		const width = right.x + right.width - RIGHT_EDGE - left.x;
		const clip = { x: left.x, y: right.y, width, height: right.height };
		await this.page.screenshot({ path, clip, animations: 'disabled' });
	}

	/** Closes n8n's notifications, so that the next one belongs to the next execution. */
	private async dismissToasts(): Promise<void> {
		const buttons = this.page.locator(`${TOAST} .el-notification__closeBtn`);
		await buttons.evaluateAll((all) => all.forEach((button) => button.click()));
		await this.page.waitForFunction(`document.querySelector('${TOAST}') === null`);
	}

	/** Opens a drop-down, and opens it again if n8n, still drawing the panel, has closed it. */
	private async openOptions(parameter: string): Promise<Locator> {
		const options = this.page.getByRole('option');
		const areOpen = async () => {
			if (!(await options.first().isVisible())) await this.parameter(parameter).click();
			const wait = options.first().waitFor({ timeout: ATTEMPT_MS });
			return await wait.then(
				() => true,
				() => false,
			);
		};
		await waitUntil(areOpen, { what: `the options of ${parameter}` });
		return options;
	}

	private get output(): Locator {
		return byId(this.page, 'output-panel');
	}

	private parameter(name: string): Locator {
		return byId(this.page, `parameter-input-${name}`);
	}
}

import type { Locator, Page } from 'playwright-core';
import { CredentialForm } from './credential.mts';
import { readBox, byId, type Box } from './elements.mts';
import { waitUntil } from '../process/waitFor.mts';

/** Around what a picture shows (pixels). */
const MARGIN = 16;
/** Hides the buttons that lead to other nodes, and warnings about fields that are still empty. */
const FOR_PICTURES =
	'[data-test-id=floating-nodes], [data-test-id=parameter-issues] { visibility: hidden !important }';
const ATTEMPT_MS = 5000;
/** n8n's notifications. */
const TOAST = '.el-notification';

/** A node's open panel: input on the left, parameters in the middle, output on the right. */
export class NodePanel {
	private constructor(private readonly page: Page) {}

	/** The panel that is being opened. */
	static async opened(page: Page): Promise<NodePanel> {
		await byId(page, 'node-parameters').waitFor();
		return new NodePanel(page);
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

	/** Chooses several options of a drop-down by their names. */
	async chooseAll(parameter: string, names: string[]): Promise<void> {
		const options = this.page.getByRole('option');
		const areOpen = async () => {
			// n8n, still drawing the panel, may close them again.
			if (!(await options.first().isVisible())) await this.parameter(parameter).click();
			const wait = options.first().waitFor({ timeout: ATTEMPT_MS });
			return await wait.then(
				() => true,
				() => false,
			);
		};
		await waitUntil(areOpen, `the options of ${parameter}`);
		for (const name of names)
			await options.filter({ has: this.page.getByText(name, { exact: true }) }).click();
		await this.page.keyboard.press('Escape');
		await options.first().waitFor({ state: 'hidden' });
	}

	/** Types into a locator's search and selects an entry. */
	async pick(parameter: string, search: string, entry: string): Promise<void> {
		await this.search(parameter, search);
		await byId(this.page, 'rlc-item').filter({ hasText: entry }).first().click();
	}

	/** Types into a locator's search, and leaves its list open. @returns the entries that were found */
	async search(parameter: string, search: string): Promise<string[]> {
		const box = byId(this.page, 'rlc-search');
		const entries = byId(this.page, 'rlc-item');
		if (!(await box.isVisible()))
			await byId(byId(this.page, `resource-locator-${parameter}`), 'rlc-input').click();
		await entries.first().waitFor();
		await box.fill(search);
		const others = entries.filter({ hasNotText: new RegExp(search, 'i') });
		await others.first().waitFor({ state: 'hidden' });
		await entries.first().waitFor();
		return (await entries.allInnerTexts()).map((text) => text.trim());
	}

	/** Opens the form of a new credential. */
	async newCredential(): Promise<CredentialForm> {
		await byId(this.page, 'node-credentials-select').click();
		await byId(this.page, 'node-credentials-select-item-new').click();
		return new CredentialForm(this.page);
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

	/** Gives the output the room of the input, for pictures. */
	async widen(): Promise<void> {
		await byId(this.page, 'node-credentials-select').scrollIntoViewIfNeeded();
		const { mouse } = this.page;
		const edge = await readBox(byId(this.page, 'panel-drag-button'));
		await mouse.move(edge.x + edge.width / 2, edge.y + edge.height / 2);
		await mouse.down();
		await mouse.move(0, edge.y, { steps: 5 });
		await mouse.up();
	}

	/** Takes a picture of the output and the parameters, down to one of these or to their end. */
	async picture(path: string, last?: string): Promise<void> {
		await this.page.mouse.move(640, 795);
		const parameters = byId(this.page, 'node-parameters');
		const left = await readBox(parameters);
		const right = await readBox(this.output);
		const shown = byId(parameters, 'parameter-item').filter({ visible: true });
		const end = await readBox(last === undefined ? shown.last() : this.parameter(last));
		const height = end.y + end.height + MARGIN - right.y;
		const clip = { x: left.x, y: right.y, width: right.x + right.width - left.x, height };
		await this.screenshot(path, clip);
	}

	/** Takes a picture of the parameters, down to the end of the list that is open. */
	async pictureOfList(path: string): Promise<void> {
		const { x, width } = await readBox(byId(this.page, 'node-parameters'));
		const { y } = await readBox(this.output);
		const end = await readBox(byId(this.page, 'rlc-item').last());
		await this.screenshot(path, { x, y, width, height: end.y + end.height + 2 * MARGIN - y });
	}

	/** Closes n8n's notifications, so that the next one belongs to the next execution. */
	private async dismissToasts(): Promise<void> {
		const buttons = this.page.locator(`${TOAST} .el-notification__closeBtn`);
		await buttons.evaluateAll((all) => all.forEach((button) => button.click()));
		await this.page.waitForFunction(`document.querySelector('${TOAST}') === null`);
	}

	private async screenshot(path: string, clip: Box): Promise<void> {
		await this.page.screenshot({ path, clip, animations: 'disabled', style: FOR_PICTURES });
	}

	private get output(): Locator {
		return byId(this.page, 'output-panel');
	}

	private parameter(name: string): Locator {
		return byId(this.page, `parameter-input-${name}`);
	}
}

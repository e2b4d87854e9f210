import type { Locator, Page } from 'playwright-core';
import { readBox, byId } from './elements.mts';
import { waitUntil } from '../process/waitFor.mts';

/** Below what a picture shows (pixels). */
const MARGIN = 16;

/** The open form of a credential. */
export class CredentialForm {
	constructor(private readonly page: Page) {}

	/** Types into a field. */
	async type(field: string, value: string): Promise<void> {
		const input = byId(this.form, `parameter-input-${field}`).locator('input, textarea');
		await input.fill(value);
		// n8n takes the value when the field is left; after saving, that would be an unsaved change.
		await input.blur();
	}

	/**
	 * Saves a new credential, opened in a node: n8n tests it, and closes the form. @throws what the form
	 * says if n8n cannot connect with it
	 */
	async save(): Promise<void> {
		// The button is in the header, beside what n8n calls the dialog.
		await byId(this.page, 'credential-save-button').click();
		const failure = this.form.getByText('connect with these settings');
		const isClosed = async () => {
			if (await failure.isVisible()) throw new Error(await this.form.innerText());
			return !(await this.form.isVisible());
		};
		await waitUntil(isClosed, 'the test of the credential');
	}

	/** Takes a picture of the form, down to the token URL. */
	async picture(path: string): Promise<void> {
		await this.page.mouse.move(0, 0);
		const dialog = await readBox(this.page.locator('.el-dialog:visible').last());
		const last = await readBox(byId(this.form, 'parameter-input-tokenUrl'));
		const clip = { ...dialog, height: last.y + last.height + MARGIN - dialog.y };
		await this.page.screenshot({ path, clip, animations: 'disabled' });
	}

	private get form(): Locator {
		return byId(this.page, 'credential-edit-dialog');
	}
}

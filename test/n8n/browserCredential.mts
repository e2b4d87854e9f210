import type { Locator, Page } from 'playwright-core';
import { readBox, byId } from './browserElements.mts';
import { waitUntil } from './waitFor.mts';

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

	/** Saves a new credential, opened in a node: n8n tests it, and closes the form if it works. */
	async saveNew(): Promise<void> {
		await this.save(async () => !(await this.form.isVisible()));
	}

	/** Saves a changed credential: n8n tests it, and says that it works. */
	async saveChanges(): Promise<void> {
		const success = byId(this.form, 'credentials-config-container-test-success');
		await this.save(async () => await success.isVisible());
	}

	/** Takes a picture of the form, down to the token URL. */
	async picture(path: string): Promise<void> {
		await this.page.mouse.move(0, 0);
		const dialog = await readBox(this.page.locator('.el-dialog:visible').last());
		const last = await readBox(byId(this.form, 'parameter-input-tokenUrl'));
		const clip = { ...dialog, height: last.y + last.height + MARGIN - dialog.y };
		await this.page.screenshot({ path, clip, animations: 'disabled' });
	}

	/** @throws what the form says if n8n cannot connect with the credential */
	private async save(isDone: () => Promise<boolean>): Promise<void> {
		// The button is in the header, beside what n8n calls the dialog.
		await byId(this.page, 'credential-save-button').click();
		const failure = this.form.getByText('connect with these settings');
		const isTested = async () => {
			if (await failure.isVisible()) throw new Error(await this.form.innerText());
			return await isDone();
		};
		await waitUntil(isTested, { what: 'the test of the credential' });
	}

	private get form(): Locator {
		return byId(this.page, 'credential-edit-dialog');
	}
}

import type { Locator, Page } from 'playwright-core';
import { byId } from './browserPanel.mts';

/** The dialog in which a credential is edited, opened from a node. */
export class CredentialDialog {
	constructor(private readonly page: Page) {}

	async opened(): Promise<void> {
		await byId(this.dialog, 'parameter-input-baseUrl').waitFor();
	}

	/** Types into a field, as a person does who replaces what is there. */
	async fill(field: string, value: string): Promise<void> {
		const input = byId(this.dialog, `parameter-input-${field}`).locator('input, textarea');
		await input.fill(value);
		// n8n takes the value when the field is left; after saving, that would be an unsaved change.
		await input.blur();
	}

	/** Saves, and waits until n8n has tested the credential and says that it works. */
	async save(): Promise<void> {
		// The button is in the header, beside what n8n calls the dialog.
		await byId(this.page, 'credential-save-button').click();
		await byId(this.dialog, 'credentials-config-container-test-success').waitFor();
	}

	private get dialog(): Locator {
		return byId(this.page, 'credential-edit-dialog');
	}
}

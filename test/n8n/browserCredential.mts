import type { Locator, Page } from 'playwright-core';

/** The open form of a credential. */
export class CredentialForm {
	private readonly form: Locator;

	constructor(page: Page) {
		this.form = page.locator('[data-test-id=editCredential-modal]');
	}

	async opened(): Promise<void> {
		await this.form.waitFor();
	}

	async fill(parameter: string, value: string): Promise<void> {
		await this.form.locator(`[data-test-id=parameter-input-${parameter}] input`).fill(value);
	}

	/** Saves the credential, which n8n then tests. @returns what the form says of the test */
	async save(): Promise<string> {
		await this.form.locator('[data-test-id=credential-save-button]').click();
		await this.form.getByText('Saved', { exact: true }).waitFor();
		const failed = this.form.getByText('More details');
		const passed = this.form.getByText('Connection tested successfully');
		await failed.or(passed).waitFor();
		if (await passed.isVisible()) return await passed.innerText();
		await failed.click();
		await failed.waitFor({ state: 'hidden' });
		return await this.form.innerText();
	}

	async close(): Promise<void> {
		await this.form.getByRole('button', { name: 'Close this dialog' }).click();
		await this.form.waitFor({ state: 'hidden' });
	}
}

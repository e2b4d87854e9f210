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

	/** Saves a credential whose test, which n8n then runs, must fail. @returns what the form says */
	async saveRefused(): Promise<string> {
		await this.form.locator('[data-test-id=credential-save-button]').click();
		const more = this.form.getByText('More details');
		await more.click();
		await more.waitFor({ state: 'hidden' });
		return await this.form.innerText();
	}

	async close(): Promise<void> {
		await this.form.getByRole('button', { name: 'Close this dialog' }).click();
		await this.form.waitFor({ state: 'hidden' });
	}
}

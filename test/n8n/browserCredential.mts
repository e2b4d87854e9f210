import type { Locator, Page } from 'playwright-core';
import { waitUntil } from './waitFor.mts';

const ATTEMPT_MS = 2000;

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

	/** Saves the credential and waits until n8n's test of it is reported as failed, with these details. */
	async saveRejected(details: RegExp): Promise<void> {
		await this.form.locator('[data-test-id=credential-save-button]').click();
		const expand = this.form.getByText('More details');
		let text = '';
		const areShown = async () => {
			// n8n redraws the form while it saves and tests: a click may come too early or be lost.
			await expand.click({ timeout: ATTEMPT_MS }).catch(() => undefined);
			text = await this.form.innerText();
			return details.test(text);
		};
		await waitUntil(areShown, { what: `the form to show ${details}` }).catch((error: Error) => {
			throw new Error(`${error.message}. It shows:\n${text}`);
		});
	}

	async close(): Promise<void> {
		await this.form.getByRole('button', { name: 'Close this dialog' }).click();
		await this.form.waitFor({ state: 'hidden' });
	}
}

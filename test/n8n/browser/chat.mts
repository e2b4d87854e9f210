import type { Locator, Page } from 'playwright-core';
import { byId } from './elements.mts';

/** The chat below n8n's canvas, operated as a person would. */
export class ChatPanel {
	constructor(private readonly page: Page) {}

	/** Sends a message, as soon as the chat takes one. */
	async say(text: string): Promise<void> {
		await this.input.fill(text);
		await this.sendButton.click();
	}

	/** Types a message and presses Enter, whether or not the chat takes one. */
	async type(text: string): Promise<void> {
		await this.input.fill(text);
		await this.input.press('Enter');
	}

	/** Waits until the chat shows this text. */
	async shows(text: string): Promise<void> {
		await this.messages.getByText(text).waitFor();
	}

	/** Clicks one of the buttons of the last message. */
	async click(label: string): Promise<void> {
		await this.button(label).click();
	}

	/** Takes a picture of the chat. */
	async picture(path: string): Promise<void> {
		await this.chat.screenshot({ path, animations: 'disabled' });
	}

	private get chat(): Locator {
		return byId(this.page, 'canvas-chat');
	}

	private get input(): Locator {
		return this.chat.locator('textarea');
	}

	private get sendButton(): Locator {
		return this.chat.locator('.chat-input-send-button');
	}

	private get messages(): Locator {
		return this.page.locator('.chat-messages-list');
	}

	private button(label: string): Locator {
		return this.messages.getByRole('button', { name: label, exact: true }).last();
	}
}

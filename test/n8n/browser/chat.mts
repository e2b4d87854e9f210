import type { Locator, Page } from 'playwright-core';
import { byId, drag } from './elements.mts';

/** By how many pixels the chat is enlarged. */
const HIGHER = 160;

/** The chat below n8n's canvas, operated as a person would. */
export class ChatPanel {
	constructor(private readonly page: Page) {}

	/** Gives the chat some of the room above it, for pictures. */
	async enlarge(): Promise<void> {
		const edges = byId(byId(this.page, 'logs-panel'), 'resize-handle');
		await drag(edges.first(), 0, -HIGHER);
	}

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

	/** Waits until the last message has this button, and scrolls to the end. */
	async offers(label: string): Promise<void> {
		await this.button(label).scrollIntoViewIfNeeded();
		await this.page.locator('.chat-body').evaluate((body) => {
			body.scrollTop = body.scrollHeight;
		});
	}

	/** Clicks one of the buttons of the last message. */
	async click(label: string): Promise<void> {
		await this.button(label).click();
	}

	private get input(): Locator {
		return byId(this.page, 'canvas-chat').locator('textarea');
	}

	private get sendButton(): Locator {
		return byId(this.page, 'canvas-chat').locator('.chat-input-send-button');
	}

	private get messages(): Locator {
		return this.page.locator('.chat-messages-list');
	}

	private button(label: string): Locator {
		return this.messages.getByRole('button', { name: label, exact: true }).last();
	}
}

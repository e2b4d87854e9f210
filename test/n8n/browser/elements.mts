import type { Locator, Page } from 'playwright-core';

/** A position on the page (pixels). */
export interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** Where an element is. @throws if it is not visible */
export async function readBox(element: Locator): Promise<Box> {
	const box = await element.boundingBox();
	if (box === null) throw new Error('The element is not visible');
	return box;
}

/** The element with one of the test ids that n8n's own tests use. */
export function byId(within: Page | Locator, id: string): Locator {
	return within.locator(`[data-test-id="${id}"]`);
}

/** n8n's notifications. */
export const TOAST = '.el-notification';

/** Closes n8n's notifications, so that the next one belongs to the next execution. */
export async function dismissToasts(page: Page): Promise<void> {
	const buttons = page.locator(`${TOAST} .el-notification__closeBtn`);
	await buttons.evaluateAll((all) => all.forEach((button) => button.click()));
	await page.waitForFunction(`document.querySelector('${TOAST}') === null`);
}

/** Drags an element by so many pixels, such as the edge of a panel. */
export async function drag(element: Locator, right: number, down: number): Promise<void> {
	const { x, y, width, height } = await readBox(element);
	const mouse = element.page().mouse;
	await mouse.move(x + width / 2, y + height / 2);
	await mouse.down();
	await mouse.move(x + width / 2 + right, y + height / 2 + down, { steps: 5 });
	await mouse.up();
}

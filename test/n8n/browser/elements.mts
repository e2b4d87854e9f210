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

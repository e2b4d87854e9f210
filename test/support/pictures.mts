/** What each picture of the documents was taken of, noted in its file, so that a test notices an old one. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { EngagementUploadsApi } from '../../credentials/EngagementUploadsApi.credentials.ts';
import { EngagementUploads } from '../../nodes/EngagementUploads/EngagementUploads.node.ts';
import { EngagementUploadsTrigger } from '../../nodes/EngagementUploads/EngagementUploadsTrigger.node.ts';

/** The examples of pictures that are not named after theirs. */
const EXAMPLES: Record<string, string> = {
	'agent.png': 'portfolio-agent',
	'status-page.png': 'status-page',
	'status-page-phone.png': 'status-page',
	'onboarding-form.png': 'onboarding-form',
};
const KEYWORD = 'Source\0';

/** A digest of what a picture such as `status-page.png` shows: an example, or the texts of the editor. */
export function digestOf(picture: string): string {
	const example = EXAMPLES[picture];
	const shown = example === undefined ? editorTexts() : readFileSync(`examples/${example}.json`);
	return createHash('sha256').update(shown).digest('hex').slice(0, 16);
}

function editorTexts(): string {
	const nodes = [new EngagementUploads(), new EngagementUploadsTrigger()];
	return JSON.stringify([
		...nodes.map(({ description }) => description),
		new EngagementUploadsApi().properties,
	]);
}

/** A picture with a text chunk that has the digest, at its end. */
export function withDigest(png: Buffer, digest: string): Buffer {
	const data = Buffer.from(`tEXt${KEYWORD}${digest}`, 'latin1');
	const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
	length.writeUInt32BE(data.length - 4);
	sum.writeUInt32BE(crc32(data));
	const end = png.lastIndexOf('IEND') - 4;
	return Buffer.concat([png.subarray(0, end), length, data, sum, png.subarray(end)]);
}

/** The digest that a picture has, if any. */
export function readDigest(png: Buffer): string | undefined {
	const at = png.lastIndexOf(`tEXt${KEYWORD}`);
	if (at < 0) return undefined;
	const length = png.readUInt32BE(at - 4);
	return png.toString('latin1', at + 4 + KEYWORD.length, at + 4 + length);
}

/** docs/failures.md has every message of the nodes, from their sources; `npm run docs` writes it. */
import { readdirSync } from 'node:fs';
import path from 'node:path';

import { EngagementUploadsApi } from '../../credentials/EngagementUploadsApi.credentials.ts';
import { EngagementUploads } from '../../nodes/EngagementUploads/EngagementUploads.node.ts';
import { EngagementUploadsTrigger } from '../../nodes/EngagementUploads/EngagementUploadsTrigger.node.ts';
import { checkSection, table } from '../support/markdown.mts';
import { messagesIn, type Message } from './messages.mts';

const FILE = 'docs/failures.md';
const SOURCES = 'nodes/EngagementUploads';
/** By the folder that says it. */
const TITLES: Record<string, string> = {
	values: 'Values that are entered',
	fields: 'Fields',
	transport: 'Credential, connection and responses',
	service: 'Requests, output and the credential test',
	lookups: 'Lists and lookups',
	actions: 'Engagement Uploads',
	trigger: 'Engagement Uploads Trigger',
};

/** Every text that the editor shows with the nodes and the credential. */
const editorTexts = textsIn([
	new EngagementUploads().description,
	new EngagementUploadsTrigger().description,
	new EngagementUploadsApi().properties,
]);

function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' ? Object.values(value ?? {}).flatMap(textsIn) : [];
}

function isEditorText({ text }: Message): boolean {
	const [start = '', ...parts] = text.split(/‹[^›]*›/);
	return editorTexts.some((shown) => {
		let end = shown.indexOf(start) + start.length;
		const isFirst = shown.includes(start);
		return (
			isFirst &&
			parts.every((part) => {
				const at = shown.indexOf(part, end);
				end = at + part.length;
				return at >= 0;
			})
		);
	});
}

function messagesOf(folder: string): Message[] {
	const files = readdirSync(path.join(SOURCES, folder), { recursive: true, encoding: 'utf8' });
	return files
		.filter((name) => name.endsWith('.ts'))
		.flatMap((name) => messagesIn(path.join(SOURCES, folder, name)))
		.filter((message) => !isEditorText(message));
}

/** Without repeats and without parts of others. */
function distinct(messages: Message[]): Message[] {
	const full = new Map(messages.map((each) => [`${each.text}\n${each.advice}`, each]));
	const all = [...full.values()];
	const isPart = ({ text, advice }: Message) =>
		advice === '' &&
		all.some(
			(other) =>
				other.advice.includes(text) ||
				(other.text !== text && other.text.includes(text)) ||
				(other.text === text && other.advice !== ''),
		);
	return all
		.filter((message) => !isPart(message))
		.sort((one, other) => keyOf(one).localeCompare(keyOf(other)));
}

/** By the words, since what varies says little. */
function keyOf({ text, advice }: Message): string {
	return `${text.replace(/‹[^›]*›\W*/g, '')}\n${advice}`;
}

function section(folder: string): string[] {
	const rows = distinct(messagesOf(folder)).map(({ text, advice }) =>
		[text, advice].map((each) => each.trim().replaceAll('|', '\\|')),
	);
	if (rows.length === 0) return [];
	return ['', `### ${TITLES[folder]}`, '', ...table(['Message', 'What to do'], rows)];
}

it('docs/failures.md has every message', () => {
	const folders = readdirSync(SOURCES, { withFileTypes: true }).filter((each) =>
		each.isDirectory(),
	);
	const unknown = folders.filter(({ name }) => !(name in TITLES) && name !== '__schema__');
	if (unknown.length > 0)
		throw new Error(`Add a title for ${unknown.map(({ name }) => name).join()} to TITLES here`);
	checkSection(FILE, 'messages', [...Object.keys(TITLES).flatMap(section), '']);
});

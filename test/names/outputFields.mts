/** The fields that each operation and the trigger put out, from the previews and docs/output.md. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { operations } from '../../nodes/EngagementUploads/actions/operations.ts';
import { events } from '../../nodes/EngagementUploads/trigger/events/index.ts';
import { FOLDER, schemaOf, type Schema } from '../preview/schema.mts';
import { nameOf } from '../support/examples.mts';
import { samplesIn } from '../support/markdown.mts';
import { titleOf } from '../support/operationNames.mts';

/** By name; an object's own fields are inside. */
export interface OutputFields {
	[name: string]: OutputFields;
}

/** By operation, such as `upload.getAll`: of all its forms, except Raw, which is the service's. */
export function operationFields(version = 1): Map<string, OutputFields> {
	return new Map(
		operations.map((operation) => {
			const { resource, operation: value } = operation;
			const fields = [
				...previewed(version, `/${resource}/${value}`),
				...samples(titleOf(operation)),
			];
			return [nameOf(operation), merged(fields)];
		}),
	);
}

/** Of all events. */
export function triggerFields(version = 1): OutputFields {
	const own = events.flatMap(({ name }) => samples(name));
	return merged([...previewed(version, ''), ...own]);
}

function previewed(version: number, name: string): OutputFields[] {
	const file = path.join(FOLDER, `v${version}.0.0${name}.json`);
	return existsSync(file) ? [fieldsOf(JSON.parse(readFileSync(file, 'utf8')) as Schema)] : [];
}

/** Of the samples of an operation or event, such as `Upload Completed with Include Steps`. */
function samples(name: string): OutputFields[] {
	return samplesIn(readFileSync('docs/output.md', 'utf8'))
		.filter((sample) => new RegExp(`^${name}($|,| with | when )`).test(sample.title))
		.filter((sample) => !sample.title.includes('output Raw'))
		.map(({ item }) => fieldsOf(schemaOf([item])));
}

function fieldsOf({ properties = {} }: Schema): OutputFields {
	return Object.fromEntries(
		Object.entries(properties).map(([name, inner]) => [name, fieldsOf(inner)]),
	);
}

export function merged(several: OutputFields[]): OutputFields {
	const names = [...new Set(several.flatMap((fields) => Object.keys(fields)))];
	return Object.fromEntries(
		names.map((name) => [name, merged(several.flatMap((fields) => fields[name] ?? []))]),
	);
}

/** Such as `upload.uploadId`, and `upload` too. */
export function namesIn(fields: OutputFields): string[] {
	return Object.entries(fields).flatMap(([name, inner]) => [
		name,
		...namesIn(inner).map((each) => `${name}.${each}`),
	]);
}

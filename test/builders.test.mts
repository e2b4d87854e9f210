/** What n8n's workflow builders say about the nodes. */
import {
	generateNodeTypeFile,
	type NodeTypeDescription,
} from '@n8n/workflow-sdk/scripts/generate-types';
import type { INodeProperties } from 'n8n-workflow';

import { operations } from '../nodes/EngagementUploads/actions/operations.ts';
import { EngagementUploads } from '../nodes/EngagementUploads/EngagementUploads.node.ts';
import { EngagementUploadsTrigger } from '../nodes/EngagementUploads/EngagementUploadsTrigger.node.ts';
import { toProperties } from '../nodes/EngagementUploads/fields/field.ts';
import { operationName } from './support/world/examples.mts';

const descriptions = [
	new EngagementUploads().description,
	new EngagementUploadsTrigger().description,
];

it.each(descriptions)('the hint of $displayName reaches n8n’s builders', (description) => {
	const types = generateNodeTypeFile(description as NodeTypeDescription);
	const hint = description.builderHint?.searchHint ?? 'none';
	expect(types).toContain(hint.replaceAll('>', '&gt;'));
	// Fetches more for them than they would otherwise get, so it must stay short.
	expect(hint.length).toBeLessThan(900);
});

it('n8n’s builders see the parameters of the action node, and nothing else', () => {
	const [description] = descriptions;
	const types = generateNodeTypeFile(description as NodeTypeDescription);
	// The type of what they cannot tell.
	expect(types).not.toMatch(/\bunknown(?!')/);
	const found = [
		...types.matchAll(/ = \{\n {2}resource: '(\w+)';\n {2}operation: '(\w+)';\n([^]*?)\n\};/g),
	];
	const named = found.map(([, resource, operation, block = '']) => [
		`${resource}.${operation}`,
		[...block.matchAll(/^ +(\w+)\??: /gm)].map(([, name]) => name).sort(),
	]);
	const namesIn = (fields: INodeProperties[]): string[] =>
		fields.flatMap(({ name, options = [] }) => [
			name,
			...options.flatMap((option) => {
				if ('values' in option) return [option.name, ...namesIn(option.values)];
				return 'type' in option ? [option.name] : [];
			}),
		]);
	expect(Object.fromEntries(named)).toEqual(
		Object.fromEntries(
			operations.map((operation) => [
				operationName(operation),
				namesIn(toProperties(operation.fields)).sort(),
			]),
		),
	);
});

it('the hints name operations that exist', () => {
	const hint = descriptions[0]?.builderHint?.searchHint ?? '';
	const named = [...hint.matchAll(/(\w+(?: \w+)?) > (Get Data Status|Get \w+|\w+)/g)].map(
		([text]) => text,
	);
	const existing = operations.map(({ resource, name }) => {
		const words = resource.replace(/[A-Z]/g, (letter) => ` ${letter}`);
		return `${words[0]?.toUpperCase()}${words.slice(1)} > ${name}`;
	});
	expect(named.length).toBeGreaterThan(3);
	expect(existing).toEqual(expect.arrayContaining(named));
});

/**
 * The names and defaults that saved workflows depend on, one per line, as docs/public-names.txt holds
 * them. Defaults belong to them, since n8n does not save a value that is the default.
 */
import type { ICredentialType, INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { EngagementUploadsApi } from '../../credentials/EngagementUploadsApi.credentials.ts';
import { EngagementUploads } from '../../nodes/EngagementUploads/EngagementUploads.node.ts';
import { EngagementUploadsTrigger } from '../../nodes/EngagementUploads/EngagementUploadsTrigger.node.ts';
import { readNames } from './file.mts';
import { namesIn, operationFields, triggerFields } from './outputFields.mts';

/** What the package exports. */
export interface Exported {
	nodes: INodeTypeDescription[];
	credentials: Array<Pick<ICredentialType, 'name' | 'displayName' | 'properties'>>;
}

/** A node in one of its versions. */
interface Version extends Pick<INodeTypeDescription, 'name' | 'group'> {
	version: number;
	isNewest: boolean;
	properties: INodeProperties[];
}

/** Where a parameter belongs is part of its name. */
const OWNERS = ['@version', 'resource', 'operation'];

/** Of the sources. */
export function ownNames(): string[] {
	return publicNames({
		nodes: [new EngagementUploads().description, new EngagementUploadsTrigger().description],
		credentials: [new EngagementUploadsApi()],
	});
}

export function publicNames({ nodes, credentials }: Exported): string[] {
	const names = [
		...nodes.flatMap((node) => [
			`${node.name} “${node.displayName}”`,
			...(node.credentials ?? []).map(({ name }) => `${node.name} credential ${name}`),
			...versionsOf(node).flatMap(ofVersion),
		]),
		...credentials.flatMap(({ name, displayName, properties }) => [
			`${name} “${displayName}”`,
			...ofProperties(properties, () => name),
		]),
	];
	return [...new Set(names)].sort();
}

function versionsOf({ name, group, version, properties }: INodeTypeDescription): Version[] {
	const all = [version].flat();
	return all.map((each) => ({
		name,
		group,
		version: each,
		isNewest: each === Math.max(...all),
		properties: properties.filter(({ displayOptions: { show, hide } = {} }) => {
			const [shown = [each], hidden = []] = [show?.['@version'], hide?.['@version']];
			return shown.includes(each) && !hidden.includes(each);
		}),
	}));
}

function ofVersion(node: Version): string[] {
	const owner = `${node.name} v${node.version}`;
	return [
		...ofProperties(node.properties, (property) => ownerOf(property, owner)),
		...outputsOf(node, owner),
	];
}

/** The operation that a parameter belongs to, if any, and the node. */
function ownerOf({ displayOptions }: INodeProperties, node: string): string {
	const { resource = [], operation = [] } = displayOptions?.show ?? {};
	const of = [...resource, ...operation].join('.');
	return of === '' ? node : `${node} ${of}`;
}

function ofProperties(
	properties: INodeProperties[],
	ownerOf: (property: INodeProperties) => string,
): string[] {
	const names = new Set(properties.map(({ name }) => name));
	return properties.flatMap((property) => ofProperty(property, ownerOf(property), names));
}

/** @param names those of all parameters, since others cannot hide one */
function ofProperty(
	property: INodeProperties,
	owner: string,
	names: ReadonlySet<string>,
	prefix = '',
): string[] {
	const { type, options = [], modes = [], required, default: preset } = property;
	if (type === 'notice') return [];
	const name = `${owner} ${prefix}${property.name}`;
	const { show = {}, hide = {} } = property.displayOptions ?? {};
	const [shown, hidden] = [conditionsIn(show, names), conditionsIn(hide, names)];
	const facts = [
		type,
		...(required === true ? ['required'] : []),
		`default ${JSON.stringify(preset)}`,
		...shown.map(([other]) => `depends on ${other}`),
		...hidden.map(([other, values]) => `hidden if ${other} is ${values.join(' or ')}`),
	];
	return [
		`${name} (${facts.join(', ')})`,
		...shown.flatMap(([other, values]) => values.map((value) => `${name} if ${other} is ${value}`)),
		...modes.map((mode) => `${name} mode ${mode.name}`),
		...options.flatMap((option) => {
			if ('type' in option) return ofProperty(option, owner, names, `${prefix}${property.name}.`);
			if ('value' in option) return [`${name} = ${JSON.stringify(option.value)}`];
			const inner = `${prefix}${property.name}.${option.name}.`;
			return option.values.flatMap((each) => ofProperty(each, owner, names, inner));
		}),
	];
}

/** The parameters on which it depends whether one is shown, each with its values. */
function conditionsIn(rules: object, names: ReadonlySet<string>): Array<[string, string[]]> {
	return Object.entries(rules)
		.filter(([name]) => !OWNERS.includes(name) && names.has(name.replace(/^\//, '')))
		.map(([name, values]: [string, unknown[]]) => [
			name,
			values.map((value) => JSON.stringify(value)),
		]);
}

/** Previews and documents show the newest version; the outputs of others stay as they are listed. */
function outputsOf({ group, isNewest, version }: Version, owner: string): string[] {
	if (!isNewest)
		return readNames().filter((name) => name.startsWith(`${owner} `) && name.includes(' → '));
	if (group.includes('trigger'))
		return namesIn(triggerFields(version)).map((name) => `${owner} → ${name}`);
	return [...operationFields(version)].flatMap(([operation, fields]) =>
		namesIn(fields).map((name) => `${owner} ${operation} → ${name}`),
	);
}

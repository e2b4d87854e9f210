import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { EngagementUploads } from '../../nodes/EngagementUploads/EngagementUploads.node.ts';
import { adviceOn, changesOf, readNames } from './file.mts';
import { ownNames, publicNames } from './publicNames.mts';

it('docs/public-names.txt lists the public names', () => {
	const advice = adviceOn(changesOf(readNames(), ownNames()));
	if (advice !== undefined) throw new Error(advice);
});

const { description } = new EngagementUploads();
const before = publicNames({ nodes: [description], credentials: [] });

/** What is said about a change to the parameters of Company > Get. */
function adviceIf(change: (fields: INodeProperties[]) => INodeProperties[]): string {
	const isOurs = ({ displayOptions }: INodeProperties) =>
		displayOptions?.show?.resource?.includes('company') === true;
	const properties = [
		...description.properties.filter((property) => !isOurs(property)),
		...change(structuredClone(description.properties.filter(isOurs))),
	];
	const changed: INodeTypeDescription = { ...description, properties };
	const names = publicNames({ nodes: [changed], credentials: [] });
	return adviceOn(changesOf(before, names)) ?? 'nothing';
}

const first = { displayName: 'New', name: 'fresh', type: 'string', default: '' } as const;
const show = { resource: ['company'], operation: ['get'] };
const VERSION = /A new node version/;

it.each<[string, (fields: INodeProperties[]) => INodeProperties[], RegExp]>([
	['no change', (fields) => fields, /^nothing$/],
	['another order', (fields) => fields.reverse(), /^nothing$/],
	[
		'another label',
		(fields) => fields.map((each) => ({ ...each, displayName: 'Other' })),
		/^nothing$/,
	],
	[
		'a new parameter',
		(fields) => [...fields, { ...first, displayOptions: { show } }],
		/\+ engagementUploads v\d+ company.get fresh \(string, default ""\)\n.*Run: npm run docs$/,
	],
	[
		'a new required parameter',
		(fields) => [...fields, { ...first, required: true, displayOptions: { show } }],
		VERSION,
	],
	[
		'a required parameter of a new operation',
		(fields) => [
			...fields,
			{ ...first, required: true, displayOptions: { show: { ...show, operation: ['find'] } } },
		],
		/Run: npm run docs$/,
	],
	['a parameter that is gone', (fields) => fields.slice(0, -2), VERSION],
	[
		'another name',
		(fields) => fields.map((each) => ({ ...each, name: each.name.replace(/^output$/, 'form') })),
		VERSION,
	],
	[
		'another default',
		(fields) =>
			fields.map((each) => ({ ...each, ...(each.name === 'output' && { default: 'raw' }) })),
		/- .* output \(options, default "simplified"\)\n\+ .* output \(options, default "raw"\)\n.*A new node version/,
	],
	[
		'an option value that is gone',
		(fields) => fields.map((each) => ({ ...each, options: each.options?.slice(1) })),
		VERSION,
	],
	[
		'a parameter that is shown less often',
		(fields) =>
			fields.map((each) => ({
				...each,
				displayOptions: { ...each.displayOptions, hide: { output: ['raw'] } },
			})),
		VERSION,
	],
])('%s is told apart', (_, change, advice) => {
	expect(adviceIf(change)).toMatch(advice);
});

it('the names of another node version are added to those of the first', () => {
	const [one, two] = [{ '@version': [1] }, { '@version': [2] }];
	const nodes = [
		{
			...description,
			version: [1, 2],
			properties: [
				...description.properties,
				// What other versions lack cannot hide it.
				{
					...first,
					name: 'old',
					displayOptions: { show: { ...show, ...one }, hide: { fresh: ['yes'] } },
				},
				{ ...first, displayOptions: { show: { ...show, ...two } } },
			],
		},
	];
	const names = publicNames({ nodes, credentials: [] });
	expect(names).toContain('engagementUploads v1 company.get old (string, default "")');
	expect(names).toContain('engagementUploads v1 company.get → townCity');
	expect(names).toContain('engagementUploads v2 company.get fresh (string, default "")');
	expect(names).not.toContain('engagementUploads v2 company.get old (string, default "")');
	expect(names).toContain('engagementUploads v2 company.get output = "raw"');
	const parameters = before.filter((name) => !name.includes(' → '));
	expect(parameters.filter((name) => !names.includes(name))).toEqual([]);
});

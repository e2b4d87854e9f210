/** What saved workflows depend on: names, types, defaults and option values of all parameters. */
import type { INodeProperties } from 'n8n-workflow';

import { EngagementUploadsApi } from '../../credentials/EngagementUploadsApi.credentials.ts';
import { EngagementUploads } from '../../nodes/EngagementUploads/EngagementUploads.node.ts';
import { EngagementUploadsTrigger } from '../../nodes/EngagementUploads/EngagementUploadsTrigger.node.ts';
import { advising } from '../support/advice.mts';

const ADVICE =
	'Saved workflows depend on these. If something was only added, run: npm run docs. Otherwise, see “A new node version” in CONTRIBUTING.md.';

/** A line for each parameter, and for each field inside it. */
function listParameters(properties: INodeProperties[], path = ''): string[] {
	return properties
		.filter(({ type }) => type !== 'notice')
		.flatMap((property) => listFields(property, path));
}

function listFields(property: INodeProperties, path: string): string[] {
	const { type, required, default: preset, displayOptions = {}, modes = [] } = property;
	const options = property.options ?? [];
	const { resource = [], operation = [], ...show } = displayOptions.show ?? {};
	// Only top-level parameters name their operation.
	const owner = [...resource, ...operation].map((each) => `${String(each)} `).join('');
	const field = `${owner}${path}${property.name}`;
	const values = options.flatMap((each) => ('value' in each ? [each.value] : []));
	const facts = [
		`${field}: ${type}${required === true ? ', required' : ''}, default ${JSON.stringify(preset)}`,
		...(values.length > 0 ? [`values ${JSON.stringify(values)}`] : []),
		...(modes.length > 0 ? [`modes ${modes.map((mode) => mode.name).join()}`] : []),
		...(Object.keys(show).length > 0 ? [`shown if ${JSON.stringify(show)}`] : []),
		...(displayOptions.hide ? [`hidden if ${JSON.stringify(displayOptions.hide)}`] : []),
	];
	const inner = options.flatMap((each) => {
		if ('values' in each) return listParameters(each.values, `${field}.${each.name}.`);
		return 'type' in each ? listFields(each, `${field}.`) : [];
	});
	return [facts.join('; '), ...inner];
}

const nodes = [new EngagementUploads(), new EngagementUploadsTrigger()];

it.each(nodes)('$description.displayName has the parameters that saved workflows use', (node) => {
	const { name, version, credentials, properties } = node.description;
	const lines = [
		`${name} ${String(version)}, ${credentials?.map((each) => each.name).join()}`,
		...listParameters(properties),
	];
	advising(ADVICE, () => expect(lines).toMatchSnapshot());
});

it('the credential has the fields that saved credentials use', () => {
	const { name, properties } = new EngagementUploadsApi();
	advising(ADVICE, () => expect([name, ...listParameters(properties)]).toMatchSnapshot());
});

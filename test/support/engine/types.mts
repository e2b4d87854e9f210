import type {
	ICredentialType,
	IExecuteFunctions,
	INodeType,
	INodeTypeDescription,
	INodeTypes,
	IVersionedNodeType,
} from 'n8n-workflow';

import { EngagementUploadsApi } from '../../../credentials/EngagementUploadsApi.credentials.ts';
import { EngagementUploads } from '../../../nodes/EngagementUploads/EngagementUploads.node.ts';
import { EngagementUploadsTrigger } from '../../../nodes/EngagementUploads/EngagementUploadsTrigger.node.ts';
import { core, n8n } from './n8n.mts';

/** The name that n8n puts before the names of this package's nodes. */
export const PACKAGE = 'n8n-nodes-engagement-uploads';
/** n8n's no-op node: passes items on, and stands in for others in n8n's own code. */
export const NO_OP = 'n8n-nodes-base.noOp';

type AnyNodeType = INodeType | IVersionedNodeType;

/** `engagementUploads` becomes `n8n-nodes-engagement-uploads.engagementUploads`; a full name stays. */
export function fullName(name: string): string {
	return name.includes('.') ? name : `${PACKAGE}.${name}`;
}

/** The minimum that n8n needs to know about a node. */
export function describeNode(name: string, properties: INodeTypeDescription['properties']) {
	return {
		name,
		displayName: name,
		group: [],
		version: 1,
		description: '',
		defaults: { name },
		inputs: ['main'],
		outputs: ['main'],
		properties,
	} satisfies INodeTypeDescription;
}

/** Passes its items on. */
const noOp: INodeType = {
	description: describeNode('noOp', []),
	async execute(this: IExecuteFunctions) {
		return [this.getInputData()];
	},
};

/** The node and credential types that a run knows, and n8n's no-op node. */
export class EngineTypes implements INodeTypes {
	private readonly nodes: Map<string, AnyNodeType>;

	/** @param nodes by full type name, @param credentials by type name */
	constructor(
		nodes: Iterable<[string, AnyNodeType]>,
		private readonly credentials: Map<string, ICredentialType>,
	) {
		this.nodes = new Map([[NO_OP, noOp], ...nodes]);
	}

	/** As in n8n, a name that ends in `Tool` is that of a node's variant for agents. */
	getByName(name: string): AnyNodeType {
		const type = this.nodes.get(name) ?? this.nodes.get(name.replace(/Tool$/, ''));
		if (type === undefined) throw new n8n.UnexpectedError(`There is no node type ${name}`);
		return type;
	}

	getByNameAndVersion(name: string, version?: number): INodeType {
		return n8n.NodeHelpers.getVersionedNodeType(this.getByName(name), version);
	}

	getKnownTypes() {
		return Object.fromEntries([...this.nodes.keys()].map((name) => [name, {}]));
	}

	/** The newest version of a node type, as the editor would place it. */
	newestVersion(name: string): number {
		const type = this.getByName(name);
		if ('nodeVersions' in type) return type.currentVersion;
		const { version } = type.description;
		return Array.isArray(version) ? Math.max(...version) : version;
	}

	credential(name: string): ICredentialType {
		const type = this.credentials.get(name);
		if (type === undefined) throw new n8n.UnexpectedError(`There is no credential type ${name}`);
		return type;
	}
}

/** Classes as a package exports them; nodes by short or full name, credentials by type name. */
interface TypeClasses {
	nodes: Record<string, new () => AnyNodeType>;
	credentials?: Record<string, new () => ICredentialType>;
}

/** Types from classes. */
export function loadTypes({ nodes, credentials = {} }: TypeClasses): EngineTypes {
	return new EngineTypes(
		Object.entries(nodes).map(([name, NodeClass]) => [fullName(name), new NodeClass()]),
		new Map(Object.entries(credentials).map(([name, TypeClass]) => [name, new TypeClass()])),
	);
}

/** Types from a built package, loaded by n8n's own loader. */
export async function loadPackageTypes(folder: string): Promise<EngineTypes> {
	const loader = new core.PackageDirectoryLoader(folder);
	await loader.loadAll();
	return new EngineTypes(
		Object.entries(loader.nodeTypes).map(([name, { type }]) => [
			`${loader.packageName}.${name}`,
			type,
		]),
		new Map(Object.entries(loader.credentialTypes).map(([name, { type }]) => [name, type])),
	);
}

let own: EngineTypes | undefined;

/** This package's own types, from the sources. */
export function ownTypes(): EngineTypes {
	own ??= loadTypes({
		nodes: {
			engagementUploads: EngagementUploads,
			engagementUploadsTrigger: EngagementUploadsTrigger,
		},
		credentials: { engagementUploadsApi: EngagementUploadsApi },
	});
	return own;
}

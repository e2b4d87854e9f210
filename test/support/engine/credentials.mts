import type {
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	ICredentialType,
	IHttpRequestHelper,
	IHttpRequestOptions,
	INode,
	INodeCredentialsDetails,
	INodeParameters,
	IRequestOptionsSimplified,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { CREDENTIAL } from '../world/credentials.mts';
import { n8n } from './n8n.mts';
import type { EngineTypes } from './types.mts';

/** A credential as n8n's database would hold it, shared by several runs. */
export class CredentialStore {
	private data: ICredentialDataDecryptedObject;

	constructor(
		data: object,
		readonly type: string = CREDENTIAL,
	) {
		this.data = structuredClone({ ...data });
	}

	static of(credential: object): CredentialStore {
		return credential instanceof CredentialStore ? credential : new CredentialStore(credential);
	}

	/** A copy of what is stored now, including what `preAuthentication` fetched. */
	stored(): ICredentialDataDecryptedObject {
		return structuredClone(this.data);
	}

	save(data: ICredentialDataDecryptedObject): void {
		this.data = structuredClone(data);
	}
}

/**
 * Stands in for the credentials helper of n8n's server, which is not part of n8n-core. It behaves
 * like the real one as far as this package's credential can tell.
 */
export class EngineCredentialsHelper implements ICredentialsHelper {
	constructor(
		private readonly types: EngineTypes,
		private readonly store: CredentialStore,
	) {}

	readonly getCredentials = unsupported;
	readonly updateCredentials = unsupported;
	readonly updateCredentialsOauthTokenData = unsupported;
	readonly runPreAuthentication = unsupported;

	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	getCredentialsProperties(name: string) {
		return this.types.credential(name).properties;
	}

	async getDecrypted(
		_additionalData: IWorkflowExecuteAdditionalData,
		_details: INodeCredentialsDetails,
		type: string,
		_mode?: unknown,
		_executeData?: unknown,
		raw?: boolean,
	): Promise<ICredentialDataDecryptedObject> {
		const stored = this.store.stored();
		return raw === true ? stored : this.withDefaults(type, stored);
	}

	/** Adds the defaults of visible fields and drops hidden ones, as n8n does. */
	withDefaults(type: string, data: ICredentialDataDecryptedObject): ICredentialDataDecryptedObject {
		const values = n8n.NodeHelpers.getNodeParameters(
			this.getCredentialsProperties(type),
			structuredClone(data) as INodeParameters,
			true,
			false,
			null,
			null,
		);
		return (values ?? {}) as ICredentialDataDecryptedObject;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		requestOptions: IHttpRequestOptions | IRequestOptionsSimplified,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.types.credential(typeName);
		if (typeof authenticate !== 'function')
			throw new n8n.UnexpectedError(`"${typeName}" does not authenticate with a function`);
		return await authenticate(credentials, requestOptions as IHttpRequestOptions);
	}

	async preAuthentication(
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		node: INode,
		credentialsExpired: boolean,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		const type = this.types.credential(typeName);
		const expirable = expirableProperty(type);
		if (expirable === undefined || type.preAuthentication === undefined) return undefined;
		const isTest = node.parameters.temp === '' && node.type === 'n8n-nodes-base.noOp';
		if (credentials[expirable] !== '' && !credentialsExpired && !isTest) return undefined;

		const output = (await type.preAuthentication.call(
			onlyHttpRequest(helpers),
			credentials,
		)) as ICredentialDataDecryptedObject;
		if (output[expirable] === undefined || node.credentials === undefined) return undefined;
		this.store.save({ ...this.store.stored(), ...output });
		return Object.assign(credentials, output);
	}
}

async function unsupported(): Promise<never> {
	throw new n8n.UnexpectedError('The engine harness does not do this with credentials');
}

function expirableProperty(type: ICredentialType): string | undefined {
	return type.properties.find(
		(property) => property.type === 'hidden' && property.typeOptions?.expirable === true,
	)?.name;
}

// n8n passes on only this method of the node's helpers.
function onlyHttpRequest({ helpers }: IHttpRequestHelper): IHttpRequestHelper {
	return { helpers: { httpRequest: async (options) => await helpers.httpRequest(options) } };
}

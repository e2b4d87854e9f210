import type { INodeParameters } from 'n8n-workflow';
import { examples, nameOf, targetOf } from '../../support/examples.mts';
import type { SimulatedService } from '../../support/service/http.mts';

/** An operation's parameters, the request that it must send, and the fields that it returns. */
export interface OperationCase {
	name: string;
	/** Such as `upload.getAll`. */
	operation: string;
	parameters: INodeParameters;
	method: 'GET' | 'POST';
	path: string;
	body?: object;
	fields: string[];
}

/** All examples in the table of operations, with parameters for the sample data. */
export function operationCases(service: SimulatedService): OperationCase[] {
	const target = targetOf(service);
	return examples.map(({ name, operation, parameters, method, url, body, output }) => ({
		name,
		operation: nameOf(operation),
		parameters: asEntered(parameters(target) as INodeParameters),
		method,
		path: url(target).replace(/\?.*/, ''),
		body,
		fields: Object.keys(output()).sort(),
	}));
}

/** Engagement and Connector in the form in which the editor saves them. */
function asEntered({ engagementId, connectorName, ...rest }: INodeParameters): INodeParameters {
	return {
		...rest,
		...(engagementId !== undefined && {
			engagementId: { __rl: true, mode: 'id', value: String(engagementId) },
		}),
		...(connectorName !== undefined && {
			connectorName: { __rl: true, mode: 'name', value: String(connectorName) },
		}),
	};
}

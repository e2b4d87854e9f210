import type { IDataObject } from 'n8n-workflow';

import type { SimulatedService } from '../support/service/http.mts';
import type { RecordedRequest } from '../support/service/log.mts';

/** Engagement > Create. */
export const create = (
	additionalFields: IDataObject = {},
	name = '={{ $json.name }}',
): IDataObject => ({
	resource: 'engagement',
	operation: 'create',
	name,
	additionalFields,
});

/** The writes that were sent, in order. */
export const listPosts = ({ requests }: SimulatedService): RecordedRequest[] =>
	requests.filter(({ method }) => method === 'POST');

/** The name that an engagement was to be created with. */
export function nameSent({ body }: RecordedRequest): string {
	const { sme } = body as { sme: IDataObject };
	return String(sme.name);
}

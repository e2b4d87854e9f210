/** Connector > Get Many (docs/service.md#connectors). Filters apply to what the service returns. */
import * as api from '../../service/endpoints';
import { connectorType, type Connector } from '../../service/records';
import { choice, filterCollection, flag } from '../../fields/field';
import { fieldMatcher } from '../../fields/filters';
import { output } from '../../fields/output';
import { paging } from '../../fields/paging';
import { readBoolean } from '../../values/scalars';
import { defineOperation } from '../operation';

const fields = {
	...paging,
	filters: filterCollection({
		refreshable: flag(
			'Refreshable',
			'Whether to return only connectors that can refresh data without the customer. Turn off to return only the others.',
			{ default: true },
		),
		type: choice('Type', 'How the accounting package is connected', 'online', {
			offline: ['Offline', 'The customer downloads an application'],
			online: ['Online', 'The customer logs in on a web page'],
		}),
	}),
	...output('connector'),
};

export const getManyConnectors = defineOperation({
	resource: 'connector',
	operation: 'getAll',
	name: 'Get Many',
	action: 'Get many connectors',
	description: 'Get a list of the supported accounting packages',
	fields,
	async read(item) {
		const { type, refreshable } = item.values.filters;
		const isOnly = refreshable === undefined ? undefined : [String(refreshable)];
		const matches = fieldMatcher(
			{ type: type && [type], isRefreshable: isOnly },
			(record: Connector) => ({
				type: connectorType(record),
				isRefreshable: readBoolean(record.isRefreshable),
			}),
		);
		return await item.list(api.listConnectors(), 'connector', matches);
	},
});

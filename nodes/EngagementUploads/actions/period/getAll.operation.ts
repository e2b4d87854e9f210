/** Period > Get Many (interface section 4.3; the trailing slash is part of the path). */
import { engagementField, engagementOf } from '../../fields/engagement';
import { optionsField } from '../../fields/options';
import { outputFields } from '../../fields/output';
import { limitOf, pagingFields } from '../../fields/paging';
import { period } from '../../api/kinds';
import { readList } from '../../transport/list';
import { path } from '../../transport/url';
import { reads } from '../operation';
import { shownFor } from '../shown';

export const fields = shownFor('period', 'getAll', [
	engagementField,
	...pagingFields,
	...outputFields,
	optionsField('parallelRequests'),
]);

export const operation = reads((item) => {
	const engagementId = engagementOf(item);
	const limit = limitOf(item);
	const shape = item.outputMapper('period');
	const callFor = item.caller('GET');
	return async () => {
		const id = await engagementId();
		const call = callFor(
			path`/v1/engagements/${id}/periods/`,
			`get the periods of engagement ${id}`,
		);
		const periods = await readList(item.run.service, call, period, { limit });
		item.addListHints(periods.length, limit);
		return periods.map((record) => shape(record, id));
	};
});

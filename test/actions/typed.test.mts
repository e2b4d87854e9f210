/**
 * What people, spreadsheets, AI models and programs enter in the fields, and what is sent or reported.
 * Nothing is ignored: a value is understood, or an error names the field and the item.
 */
import { errorText, linesOf, run, useService } from '../support/runs.mts';
import type { SimulatedService } from '../support/service/http.mts';
import { smallWorld } from '../support/smallWorld.mts';
import { operations, rows } from './typedRows.mts';

let service: SimulatedService;

useService(beforeAll, async () => ({ service } = await smallWorld()));
beforeAll(() => (service.settings.extraBody = ['sme.country']));

it.each(rows)('a $author writes $written ($operation): $result', async (row) => {
	const outcome = await run(service, { ...operations[row.operation], ...row.written });
	if (outcome.error !== undefined) {
		expect(errorText(outcome)).toContain(row.result);
		expect(linesOf(service)).toEqual([]);
		return;
	}
	const { method, url, body } = service.requests.at(-1) ?? {};
	expect(`${method} ${url} ${JSON.stringify(body ?? '')}`).toContain(row.result);
});

import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { SimulatedService } from '../../support/service/http.mts';
import type { RecordedRequest } from '../../support/service/log.mts';
import type { Engagement, Upload } from '../../support/service/records.mts';
import { readExamples } from '../workflows/examples.mts';
import { startLanguageModel, type LanguageModel } from '../standIns/languageModel.mts';
import { startReceivers, type Receivers } from '../standIns/receivers.mts';
import type { Execution, Rest, WorkflowInput } from '../workflows/rest.mts';
import { WITH_CODE } from '../process/n8n.mts';
import { Sandbox } from '../process/sandbox.mts';
import { makeNode } from '../workflows/nodes.mts';
import { listRecords, template } from './setup.mts';

/** What customers may be called, which a sheet, a browser or a chat would take as a command. */
export const HOSTILE_WORDS = [
	'=IMPORTXML("http://x","//a")',
	'+1+1',
	'@SUM(1)',
	'00123',
	'<script>alert(1)</script> & <!channel>',
];

/** A name of a customer that messages must show as words. */
export const HOSTILE_NAME = HOSTILE_WORDS.join(' ');

/** A name as the service may send it, with line breaks, which no message keeps. */
export const withLineBreaks = (name: string): string => name.replaceAll(' ', '\n');

/** How to run an example here. */
export interface Change {
	/** The trigger; by default, the first one. */
	start?: string;
	/** What to replace in the JSON of the nodes, and by what. */
	replace?: Record<string, string>;
}

/** The examples in a real n8n, with stand-ins for what they write to. */
export class ExampleRuns {
	/** The IDs of the workflows that were run, by file name. */
	private readonly saved = new Map<string, string>();

	private constructor(
		readonly sandbox: Sandbox,
		/** By file name, ready to use here. */
		private readonly examples: ReadonlyMap<string, WorkflowInput>,
		readonly receivers: Receivers,
		/** Of portfolio-agent. */
		readonly model: LanguageModel,
		/** What was posted or sent. */
		readonly messages: string[],
	) {}

	/** @param more n8n settings in addition to those that all need */
	static async open(more: Record<string, string> = {}): Promise<ExampleRuns> {
		const messages: string[] = [];
		const receivers = await startReceivers((message) => messages.push(message));
		const env = { ...receivers.env, ...WITH_CODE, ...more };
		const sandbox = await Sandbox.open(template(), { env });
		sandbox.service.settings.connectUrl = sandbox.service.url;
		const model = await startLanguageModel();
		const examples = await readExamples(sandbox, receivers, model.url);
		return new ExampleRuns(sandbox, examples, receivers, model, messages);
	}

	get rest(): Rest {
		return this.sandbox.rest;
	}

	get service(): SimulatedService {
		return this.sandbox.service;
	}

	/** Forgets the messages and requests so far. */
	forget(): void {
		this.messages.length = 0;
		this.service.clearRequests();
	}

	/** The requests that change something in the service. */
	writes(): RecordedRequest[] {
		return this.service.requests.filter(
			({ method, path }) => method === 'POST' && !path.endsWith('/token'),
		);
	}

	/** Adds a customer with an upload that has completed. */
	addCustomer(engagement: Partial<Engagement>, upload: Partial<Upload> = {}): Upload {
		const { model } = this.service;
		const { id: engagementId } = model.addEngagement(engagement);
		return model.addCompletedUpload({ ...upload, engagementId });
	}

	async close(): Promise<void> {
		await this.sandbox.close();
	}

	/** An example, for a test that runs it. */
	findExample(file: string): WorkflowInput {
		const example = this.examples.get(file);
		if (example === undefined) throw new Error(`There is no ${file}`);
		return example;
	}

	/**
	 * Runs an example from a trigger, as a click in the editor does. All runs are of one workflow, which
	 * remembers what it has done.
	 */
	async run(file: string, change: Change = {}): Promise<Execution> {
		const execution = await this.attempt(file, change);
		expect(execution.error).toBeUndefined();
		expect(execution.status).toBe('success');
		return execution;
	}

	/** The same, which may fail. */
	async attempt(file: string, { start, replace }: Change): Promise<Execution> {
		const workflow = changed(this.findExample(file), replace);
		const id = this.saved.get(file) ?? (await this.rest.createWorkflow(workflow)).id;
		if (this.saved.has(file)) await this.rest.updateWorkflow(id, workflow);
		this.saved.set(file, id);
		const trigger = workflow.nodes.find(({ type }) => /trigger$/i.test(type));
		return await this.rest.run(id, start ?? trigger?.name ?? '');
	}

	/** Publishes an example, so that its triggers work. @returns the ID of the workflow */
	async publish(file: string, replace?: Change['replace']): Promise<string> {
		const saved = await this.rest.createWorkflow(changed(this.findExample(file), replace));
		await this.rest.activate(saved);
		return saved.id;
	}

	/** The rows of a Data Table. */
	async rows(table: string): Promise<IDataObject[]> {
		const get = dataTable('Rows', table, 'get', { returnAll: true });
		return listRecords(await this.sandbox.run(get), 'Rows');
	}

	/** Adds rows to a Data Table. */
	async addRows(table: string, rows: readonly object[]): Promise<void> {
		const jsonOutput = JSON.stringify({ rows });
		const columns = { mappingMode: 'autoMapInputData', value: {} };
		await this.sandbox.run(
			makeNode('List', 'n8n-nodes-base.set', { mode: 'raw', jsonOutput }, { typeVersion: 3.4 }),
			makeNode('Rows', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'rows' }),
			dataTable('Add', table, 'insert', { columns }),
		);
	}

	/** Changes the row of a customer. */
	async updateRow(table: string, customerNumber: string, value: INodeParameters): Promise<void> {
		const condition = { keyName: 'customerNumber', condition: 'eq', keyValue: customerNumber };
		const columns = { mappingMode: 'defineBelow', value };
		const parameters = { filters: { conditions: [condition] }, columns };
		await this.sandbox.run(dataTable('Update', table, 'update', parameters));
	}
}

function dataTable(name: string, table: string, operation: string, more: INodeParameters): INode {
	const dataTableId = { __rl: true, mode: 'name', value: table };
	const parameters = { resource: 'row', operation, dataTableId, ...more };
	return makeNode(name, 'n8n-nodes-base.dataTable', parameters, { typeVersion: 1.1 });
}

function changed(example: WorkflowInput, replace: Change['replace'] = {}): WorkflowInput {
	let text = JSON.stringify(example.nodes);
	for (const [from, to] of Object.entries(replace)) {
		expect(text).toContain(from);
		text = text.replaceAll(from, () => to);
	}
	const settings = { ...example.settings, timezone: 'UTC' };
	return { ...example, settings, nodes: JSON.parse(text) };
}

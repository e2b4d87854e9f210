import type { Engagement, Person } from './records.mts';
import { refuse, Refusal } from './refusal.mts';
import { createdEngagementRecord } from './render.mts';
import type { Call } from './routes.mts';
import { checkFields, checkSchedule, readText } from './validate.mts';

const CREATION = {
	sme: { name: 'string' },
	externalEngagementId: 'string',
	usePassthrough: 'boolean',
	firstName: 'string',
	lastName: 'string',
	email: 'string',
} as const;

/** By scope: no list names the scope of an upload. */
const UPLOAD_TYPES: Readonly<Record<string, string>> = {
	Full: 'FINANCIALS',
	Collateral: 'OPEN_ITEMS',
};

const CONTACT = ['firstName', 'lastName', 'email'];

/** docs/service.md#engagements */
export function createEngagement({ service, query, body }: Call): unknown {
	if (!body) return refuse('A JSON body is required');
	checkFields(body, CREATION, service.settings.extraBody);
	const name = readText(body.sme, 'name');
	if (!name) return refuse('sme.name is required');
	if (!['true', 'false'].includes(query.usePortal ?? 'false')) {
		refuse('usePortal must be true or false');
	}
	const contact = readContact(query.usePortal === 'true', body);
	const engagement = service.model.addEngagement({
		name,
		externalEngagementId: readText(body, 'externalEngagementId') ?? null,
		usePassthrough: body.usePassthrough === true,
		contact,
		connectorId: null,
		dataRefreshEnabled: false,
	});
	if (contact !== null && query.usePortal === 'true') service.model.addSme(contact);
	return createdEngagementRecord(service, engagement);
}

/** The contact to create; without Use Portal or Use Passthrough, what was sent of one is dropped. */
function readContact(usesPortal: boolean, body: Readonly<Record<string, unknown>>): Person | null {
	const [firstName = '', lastName = '', email = ''] = CONTACT.map((name) => readText(body, name));
	if (usesPortal) {
		const isComplete = [firstName, lastName, email].every((text) => text.trim() !== '');
		if (!isComplete) refuse('usePortal needs firstName, lastName and email');
	} else if (body.usePassthrough !== true) return null;
	return { firstName, lastName, email, phone: null, title: null };
}

/** docs/service.md#start-upload */
export function startUpload({ service, query, body, engagement, connector }: Call): unknown {
	const { model, settings } = service;
	checkFields(body ?? {}, {}, settings.extraBody);
	const { name, type, scopes } = connector();
	const scopeName = query.scopeName ?? 'Full';
	if (query.scopeName !== undefined && !scopes.includes(scopeName)) {
		refuse(`${name} has no scope ${scopeName}`);
	}
	const link = model.requestUpload(engagement().id, name, UPLOAD_TYPES[scopeName]);
	const address = `${settings.connectUrl}/${type === '1' ? 'client' : 'authorise'}/${link}`;
	return type === '1'
		? { type: 'DOWNLOAD', serviceClientUrl: address, redirectUrl: null }
		: { type: 'REDIRECT', serviceClientUrl: null, redirectUrl: address };
}

function rejectDisabled({ id, active }: Engagement): void {
	if (!active) throw new Refusal(409, `Engagement ${id} is disabled`);
}

/** docs/service.md#data-refresh */
export function refresh({ service, body, engagement, connector }: Call): unknown {
	const { model, settings } = service;
	checkFields(body ?? {}, {}, settings.extraBody);
	const { name, type, isRefreshable } = connector();
	if (type === '1' || !isRefreshable) throw new Refusal(422, `${name} cannot be refreshed`);
	rejectDisabled(engagement());
	const upload = model.refresh(engagement().id, name);
	if (!upload) {
		const url = `${settings.connectUrl}/authorise/${engagement().id}`;
		return { action: 'Authentication Required', url };
	}
	// The text, as in the documented example.
	return { action: 'No Action Required', url: 'null' };
}

/** docs/service.md#schedule */
export function schedule({ service, body, engagement }: Call): unknown {
	if (!body) return refuse('A JSON body is required');
	const known = { scheduleFrequency: 'string', scheduleStartDate: 'string' } as const;
	checkFields(body, known, service.settings.extraBody);
	rejectDisabled(engagement());
	checkSchedule(body);
	return { action: 'NO_ACTION_REQUIRED', url: null };
}

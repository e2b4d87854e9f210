/** Customers whose name is a command to a sheet, a page or a chat, for each example that names customers. */
import { MISSING_ACCOUNT } from '../receivers.mts';
import type { Engagement, Upload } from '../../support/service/records.mts';
import { HOSTILE_WORDS } from './exampleRuns.mts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
export const HOSTILE_NAME = HOSTILE_WORDS.join(' ');
const ago = (ms: number) => ({ createdAt: Date.now() - ms });

/** A customer for whom an example has something to say. */
interface HostileCustomer {
	file: string;
	customer?: Partial<Engagement>;
	upload?: Partial<Upload>;
	replace?: Record<string, string>;
}

export const HOSTILE_CUSTOMERS: HostileCustomer[] = [
	{ file: 'notify-failed-uploads', upload: { status: 'FAILED', completedAt: null } },
	{
		file: 'stuck-uploads',
		upload: { ...ago(6.1 * HOUR), status: 'PROCESSING', completedAt: null },
	},
	{ file: 'crm-write-back', customer: { externalEngagementId: MISSING_ACCOUNT }, upload: {} },
	{ file: 'refresh-then-notify', upload: { completedAt: Date.now() - 40 * DAY } },
	{
		file: 'keep-access',
		upload: { completedAt: Date.now() - 59 * DAY, connectorName: 'fernbooks' },
	},
	{ file: 'audit-request-list', upload: {}, replace: { 'CRM-00001': 'audit-request-list' } },
	{ file: 'chase-customers', customer: ago(8 * DAY) },
	{ file: 'chase-customers', customer: ago(15 * DAY) },
	{ file: 'chase-customers', customer: ago(29 * DAY) },
	{ file: 'missing-period', replace: { '"20"': '"0"' } },
	{ file: 'stale-engagements' },
	{ file: 'weekly-digest' },
];

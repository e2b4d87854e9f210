import { template } from './setup.mts';

/** n8n's environment for durable polling, with a scheduler fast enough for polls every five seconds. */
const DURABLE_POLLING = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '2',
	// Otherwise, all polls missed during a restart would run at the same time.
	N8N_SCHEDULER_MISFIRE_GRACE: '4',
};

type Mode = [name: 'in memory' | 'durable', environment: Record<string, string>];

const hasDurable = template().installation.version === 'newest';

/** The modes of polling that this n8n has, each with its environment. */
export const MODES: Mode[] = [
	['in memory', {}],
	...(hasDurable ? [['durable', DURABLE_POLLING] satisfies Mode] : []),
];

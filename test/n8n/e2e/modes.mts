/** The modes of polling, each with n8n's environment for it. */
export const MODES: Array<[mode: 'in memory' | 'durable', environment: Record<string, string>]> = [
	['in memory', {}],
	[
		'durable',
		{
			N8N_SCHEDULER_ENABLED: 'true',
			N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
			N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
			// Fast enough for polls every few seconds.
			N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
			N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '2',
			// Otherwise, all polls missed during a restart would run at the same time.
			N8N_SCHEDULER_MISFIRE_GRACE: '4',
		},
	],
];

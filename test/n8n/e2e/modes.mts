/** n8n's environment for durable polling, with a scheduler fast enough for polls every five seconds. */
export const DURABLE_POLLING = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '2',
	// Otherwise, all polls missed during a restart would run at the same time.
	N8N_SCHEDULER_MISFIRE_GRACE: '4',
};

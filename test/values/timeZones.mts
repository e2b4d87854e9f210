/** Zones whose offsets and clock changes differ. */
export const ZONES = [
	...['UTC', 'Europe/London', 'Europe/Amsterdam', 'America/New_York', 'America/St_Johns'],
	...['Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Chatham'],
];

import fc from 'fast-check';

/** Zones whose offsets and clock changes differ. */
export const ZONES = [
	...['UTC', 'Europe/London', 'Europe/Amsterdam', 'America/New_York', 'America/St_Johns'],
	...['Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Chatham'],
];

/** One of these zones. */
export const zone = fc.constantFrom(...ZONES);

/** An instant of this century, in epoch ms. */
export const epoch = fc.integer({
	min: Date.parse('2000-01-01T00:00:00Z'),
	max: Date.parse('2100-01-01T00:00:00Z'),
});

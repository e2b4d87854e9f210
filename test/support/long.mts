/**
 * Whether tests play all that they can (`npm run test:long`), which takes minutes. Otherwise, they play
 * as much as proves the same.
 */
export const isLong = process.env.LONG === 'yes';

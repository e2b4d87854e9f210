import { randomBytes } from 'node:crypto';

function part(value: object): string {
	return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** The issued access tokens. They age by the real clock, whatever the model's clock does. */
export class Tokens {
	private readonly expiries = new Map<string, number>();

	/** A new token shaped like a JWT, with its expiry in `exp` (seconds). */
	issue(clientId: string, lifetimeMs: number): string {
		const at = Date.now();
		const expiresAt = at + lifetimeMs;
		const times = { iat: Math.floor(at / 1000), exp: Math.ceil(expiresAt / 1000) };
		const header = part({ alg: 'RS256', typ: 'JWT' });
		const claims = part({ sub: clientId, ...times, jti: randomBytes(8).toString('hex') });
		// Its end is not random: other text could contain six random characters by chance.
		const token = `${header}.${claims}.${randomBytes(27).toString('base64url')}zqx7wv`;
		this.expiries.set(token, expiresAt);
		return token;
	}

	state(token: string): 'valid' | 'expired' | 'unknown' {
		const expiresAt = this.expiries.get(token);
		if (expiresAt === undefined) return 'unknown';
		return expiresAt > Date.now() ? 'valid' : 'expired';
	}

	/** Expires all issued tokens. */
	expireAll(): void {
		for (const token of this.expiries.keys()) this.expiries.set(token, 0);
	}
}

import { randomBytes } from 'node:crypto';

function part(value: object): string {
	return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** The issued access tokens. They age by the real clock, whatever the model's clock does. */
export class Tokens {
	private readonly expiry = new Map<string, number>();
	private readonly issuedAt = new Map<string, number>();

	/** A new token shaped like a JWT, with its expiry in `exp` (seconds). */
	issue(clientId: string, lifetimeMs: number): string {
		const now = Date.now();
		const expiresAt = now + lifetimeMs;
		const times = { iat: Math.floor(now / 1000), exp: Math.ceil(expiresAt / 1000) };
		const header = part({ alg: 'RS256', typ: 'JWT' });
		const claims = part({ sub: clientId, ...times, jti: randomBytes(8).toString('hex') });
		// Its end is not random: other text could contain six random characters by chance.
		const token = `${header}.${claims}.${randomBytes(27).toString('base64url')}zqx7wv`;
		this.expiry.set(token, expiresAt);
		this.issuedAt.set(token, now);
		return token;
	}

	/** Whether a token is valid, on a clock that is behind. */
	state(token: string, behindMs = 0): 'valid' | 'expired' | 'unknown' {
		const expiresAt = this.expiry.get(token);
		if (expiresAt === undefined) return 'unknown';
		// A test may set the clock back after a token was issued.
		const age = Math.max(0, Date.now() - (this.issuedAt.get(token) ?? 0));
		if (age < behindMs) return 'unknown';
		return expiresAt > Date.now() ? 'valid' : 'expired';
	}

	/** Makes all issued tokens unknown. */
	revokeAll(): void {
		this.expiry.clear();
	}

	/** Expires all issued tokens. */
	expireAll(): void {
		for (const token of this.expiry.keys()) this.expiry.set(token, 0);
	}
}

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { SimulatedService } from '../support/service/http.mts';

/** Shorter values, such as the grant type, are not secret. */
const MIN_SECRET_LENGTH = 16;

/** The files in n8n's folder, including its database and logs, that contain a secret in plain text. */
export function filesWithSecrets(folder: string, service: SimulatedService): string[] {
	const { accessToken, subscriptionKey, tokenRequestFields } = service;
	const secrets = [accessToken, subscriptionKey, ...Object.values(tokenRequestFields)].filter(
		({ length }) => length >= MIN_SECRET_LENGTH,
	);
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
		.map(({ parentPath, name }) => path.join(parentPath, name))
		.filter((file) => {
			const bytes = readFileSync(file);
			return secrets.some((secret) => bytes.includes(secret));
		});
}

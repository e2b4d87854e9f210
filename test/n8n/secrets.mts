import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { SimulatedService } from '../support/service/http.mts';

/** What is shorter, such as a grant type, is no secret. */
const SHORTEST = 16;

/** The files in n8n's folder, its database and logs among them, in which a secret stands as it is. */
export function filesWithSecrets(folder: string, service: SimulatedService): string[] {
	const { accessToken, subscriptionKey, tokenRequestFields } = service;
	const secrets = [accessToken, subscriptionKey, ...Object.values(tokenRequestFields)].filter(
		({ length }) => length >= SHORTEST,
	);
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
		.map(({ parentPath, name }) => path.join(parentPath, name))
		.filter((file) => {
			const bytes = readFileSync(file);
			return secrets.some((secret) => bytes.includes(secret));
		});
}

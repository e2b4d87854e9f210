import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Makes n8n write its entire log to a file, so that it can be searched. n8n reads the environment while it
 * loads, so this must be imported before anything that loads it.
 */
const file = path.join(mkdtempSync(path.join(tmpdir(), 'n8n-log-')), 'n8n.log');
Object.assign(process.env, {
	N8N_LOG_LEVEL: 'debug',
	N8N_LOG_OUTPUT: 'file',
	N8N_LOG_FILE_LOCATION: file,
});

/** What n8n has logged so far, without repetition, since a secret has no white space or quotes in it. */
export function logged(): string {
	return [...new Set(readFileSync(file, 'utf8').split(/[\s"]+/))].join(' ');
}

/** `npm run scan`: n8n's own analysis of community packages, of the sources and of the package. */
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const folder = mkdtempSync(path.join(os.tmpdir(), 'scan-'));
const pack = ['pack', '--silent', '--pack-destination', folder];
const tarball = execFileSync('npm', pack, { encoding: 'utf8' }).trim();
execFileSync('tar', ['-xzf', tarball], { cwd: folder });
const sources = await analyzePackage(process.cwd(), SOURCE_FILE_PATTERNS);
const built = await analyzePackage(path.join(folder, 'package'), ['**/*.js', 'package.json']);
rmSync(folder, { recursive: true });
const problems = [sources, built].filter(({ passed }) => !passed);
for (const { message, details = '' } of problems) console.error(`${message} ${details}`);
process.exitCode = problems.length > 0 ? 1 : 0;
if (problems.length === 0)
	console.log('The scan of the sources and the package found no problems.');

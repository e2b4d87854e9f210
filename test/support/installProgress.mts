/** How far `npm ci` has got, for the person who waits for it. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The part of a lock file that is used. */
interface Lock {
	packages: Record<string, { os?: string[]; cpu?: string[] }>;
}

/** Counts the packages of a folder with a lock file that are there already. */
export class InstallProgress {
	private readonly files: string[];

	/** Packages that are only for some systems do not count, since npm may leave them out. */
	constructor(folder: string) {
		const text = readFileSync(path.join(folder, 'package-lock.json'), 'utf8');
		const { packages }: Lock = JSON.parse(text);
		this.files = Object.entries(packages)
			.filter(([name, { os, cpu }]) => name !== '' && os === undefined && cpu === undefined)
			.map(([name]) => path.join(folder, name, 'package.json'));
	}

	/** Such as `1,204 of 2,084 packages`; npm first looks all of them up. */
	toString(): string {
		const present = this.files.filter((file) => existsSync(file)).length;
		if (present === 0) return `looking up ${inDigits(this.files.length)} packages`;
		return `${inDigits(present)} of ${inDigits(this.files.length)} packages`;
	}
}

function inDigits(count: number): string {
	return count.toLocaleString('en-GB');
}

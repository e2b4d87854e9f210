/** Runs a check; if it fails, its message ends with what to do. */
export function advising(advice: string, check: () => void): void {
	try {
		check();
	} catch (error) {
		throw new Error(`${error instanceof Error ? error.message : String(error)}\n\n${advice}`);
	}
}

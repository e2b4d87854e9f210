const CHARACTERS: Record<string, string> = { lt: '<', gt: '>', amp: '&' };

/** What readers see of HTML, or of a Slack message: in both, `<…>` is markup, not text. */
export function shown(markup: string): string {
	return markup
		.replace(/<[^>]*>/g, '')
		.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
		.replace(/&(lt|gt|amp);/g, (_, name: string) => CHARACTERS[name] ?? '');
}

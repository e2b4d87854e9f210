import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Editor } from '../browser/editor.mts';

/** Small enough to be read on a code host, and to load at once. */
const SIZE = { width: 1120, height: 700 };

/** Moving pictures for the README: screenshots of the editor, each shown for a while. */
export class Movie {
	private readonly folder = mkdtempSync(path.join(os.tmpdir(), 'movie-'));
	private readonly frames: Array<{ file: string; seconds: number }> = [];

	private constructor(private readonly editor: Editor) {}

	static async begin(editor: Editor): Promise<Movie> {
		await editor.resize(SIZE);
		return new Movie(editor);
	}

	/** Adds what the editor shows now. */
	async show(seconds: number): Promise<void> {
		const file = path.join(this.folder, `${this.frames.length}.png`);
		await this.editor.screenshot(file);
		this.frames.push({ file, seconds });
	}

	/** Writes an animated WebP, with `img2webp` of Debian's package `webp`. */
	write(file: string): void {
		const frames = this.frames.flatMap((each) => ['-d', String(each.seconds * 1000), each.file]);
		execFileSync('img2webp', ['-loop', '0', '-lossy', '-q', '80', ...frames, '-o', file]);
		rmSync(this.folder, { recursive: true });
	}
}

/**
 * `npm run mutants`: makes small changes to the product, one at a time and in a copy, and reports those
 * that no test notices. Which ones follows from `--seed`, so that a report can be repeated. Stryker, made
 * for this, took more than an hour for five files, and ran out of memory.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';

import { SeededRandom } from '../support/service/random.mts';

interface Mutant {
	file: string;
	start: number;
	end: number;
	from: string;
	to: string;
}

/** Operators of which each may become the other. */
const PAIRS = ['=== !==', '< <=', '> >=', '&& ||', '+ -', '* /'].map((pair) => pair.split(' '));
const ALL_PAIRS = [...PAIRS, ...PAIRS.map((pair) => pair.toReversed()), ['??', '&&']];
const OPERATORS: Record<string, string> = Object.fromEntries(ALL_PAIRS);
/** What the editor shows or takes as a default is checked by a snapshot. */
const DESCRIPTIONS = /editorTexts|\.node\.ts$|credentials\.ts$/;

/** What a part of the code may become instead. */
function replacementFor(node: ts.Node): string | undefined {
	if (ts.isBinaryExpression(node)) {
		const operator = OPERATORS[node.operatorToken.getText()];
		const [left, right] = [node.left.getText(), node.right.getText()];
		return operator === undefined ? undefined : `${left} ${operator} ${right}`;
	}
	if (ts.isPrefixUnaryExpression(node) && node.getText().startsWith('!'))
		return node.operand.getText();
	if (ts.isConditionalExpression(node))
		return `${node.condition.getText()} ? ${node.whenFalse.getText()} : ${node.whenTrue.getText()}`;
	if (ts.isIfStatement(node) && node.elseStatement === undefined) return '';
	if (node.kind === ts.SyntaxKind.TrueKeyword) return 'false';
	if (node.kind === ts.SyntaxKind.FalseKeyword) return 'true';
	return ts.isNumericLiteral(node) ? `${node.getText()} + 1` : undefined;
}

function mutantsIn(file: string): Mutant[] {
	const text = fs.readFileSync(file, 'utf8');
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
	const mutants: Mutant[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
		const to = replacementFor(node);
		const [start, end] = [node.getStart(), node.getEnd()];
		if (to !== undefined) mutants.push({ file, start, end, from: node.getText(), to });
		ts.forEachChild(node, visit);
	};
	visit(source);
	return mutants;
}

/** With an endless loop in the product, its tests would never end; in milliseconds. */
const LONGEST = 600_000;

/** Runs tests in the copy, until one fails. */
async function noticed(folder: string, args: string[]): Promise<boolean> {
	const command = ['jest', '--bail', '--silent', '--passWithNoTests', ...args];
	const jest = spawn('npx', command, { cwd: folder, stdio: 'ignore', detached: true });
	const timer = setTimeout(() => process.kill(-Number(jest.pid), 'SIGKILL'), LONGEST);
	const [code] = await once(jest, 'exit');
	clearTimeout(timer);
	return code !== 0;
}

const { values } = parseArgs({
	options: {
		seed: { type: 'string', default: '1' },
		count: { type: 'string', default: '40' },
		only: { type: 'string', default: '' },
	},
});
const random = new SeededRandom(Number(values.seed));
const files = fs
	.readdirSync('nodes', { recursive: true, encoding: 'utf8' })
	.map((name) => path.join('nodes', name))
	.filter((name) => name.endsWith('.ts') && !DESCRIPTIONS.test(name) && name.includes(values.only));
const all = files.sort().flatMap(mutantsIn);
const chosen = Array.from({ length: Number(values.count) }, () => all[random.below(all.length)]);

const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'engagement-uploads-mutants-'));
const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n');
for (const name of tracked) fs.cpSync(name, path.join(copy, name), { recursive: true });
fs.symlinkSync(path.resolve('node_modules'), path.join(copy, 'node_modules'));
if (await noticed(copy, ['test/docs', 'test/layers']))
	throw new Error('Tests fail without any change');
let survivors = 0;
for (const mutant of chosen) {
	if (mutant === undefined) continue;
	const { file, start, end, from, to } = mutant;
	const text = fs.readFileSync(file, 'utf8');
	fs.writeFileSync(path.join(copy, file), text.slice(0, start) + to + text.slice(end));
	const near = path.dirname(file).replace('nodes/EngagementUploads', 'test');
	// The nearest tests come first, since they notice most.
	const isNoticed =
		(await noticed(copy, [`${near}/`, 'test/layers'])) ||
		(await noticed(copy, ['--findRelatedTests', file]));
	fs.writeFileSync(path.join(copy, file), text);
	if (isNoticed) continue;
	survivors += 1;
	const line = text.slice(0, start).split('\n').length;
	console.log(`${file}:${line}: no test notices that\n\t${from}\nbecomes\n\t${to || 'nothing'}`);
}
fs.rmSync(copy, { recursive: true });
const killed = chosen.length - survivors;
console.log(`${killed} of ${chosen.length} mutants noticed, seed ${values.seed}`);

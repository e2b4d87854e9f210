/**
 * Every text in the product's source that a user can read, except for the editor's own: those that
 * are in the descriptions of the nodes and the credential are to be left out by the caller.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** What happened, and what to do, if that is said with it. */
export interface Message {
	text: string;
	advice: string;
}

/** What an expression may be as text, and under which conditions. */
interface Text {
	text: string;
	when: Record<string, boolean>;
}

interface Part {
	name: string;
	value: ts.Expression;
}

/** If there are more, a name stands for the part that differs. */
const MAX_ALTERNATIVES = 4;

export function messagesIn(file: string): Message[] {
	const found: Message[] = [];
	/** Parts of messages that were found. */
	const done = new Set<ts.Node>();
	const visit = (part: ts.Node): void => {
		if (done.has(part) || isSilent(part)) return;
		const pair = pairIn(partsOf(part));
		found.push(...(pair?.messages ?? []));
		for (const each of pair?.parts ?? []) done.add(each);
		const texts = ts.isIdentifier(part) ? [] : sentences(part);
		found.push(...texts.map(({ text }) => ({ text, advice: '' })));
		if (texts.length === 0) ts.forEachChild(part, visit);
	};
	visit(parsed(file));
	return found;
}

function parsed(file: string): ts.SourceFile {
	return ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
}

/** The message, and perhaps the advice, of an error, a report or a pair. */
function pairIn(parts: Part[]) {
	const said = parts.filter(({ value }) => sentences(value).length > 0);
	const named = said.filter(({ name }) => /^(advice|description|tokenAdvice)$/.test(name));
	const message = said.find((part) => !named.includes(part));
	if (message === undefined || said.length > Math.max(2, named.length + 1)) return undefined;
	const advice = named.length > 0 ? named : said.filter((part) => part !== message);
	const messages = sentences(message.value).map(({ text, when }) => {
		const advices = advice.flatMap(({ value }) => textsOf(value));
		const possible = advices.filter((each) => both(when, each.when) !== undefined);
		return { text, advice: possible.map((each) => each.text).join(' / ') };
	});
	return { messages, parts: said.map(({ value }) => value) };
}

/** The arguments of a call, the entries of a list, or the properties of an object. */
function partsOf(part: ts.Node): Part[] {
	const unnamed = (values: readonly ts.Expression[] = []) =>
		values.flatMap((value) =>
			ts.isObjectLiteralExpression(value) ? propertiesOf(value) : [{ name: '', value }],
		);
	if (ts.isNewExpression(part) || ts.isCallExpression(part)) return unnamed(part.arguments);
	if (ts.isArrayLiteralExpression(part)) return unnamed(part.elements);
	return ts.isObjectLiteralExpression(part) ? propertiesOf(part) : [];
}

function propertiesOf(object: ts.ObjectLiteralExpression): Part[] {
	return object.properties.flatMap((each) => {
		if (ts.isShorthandPropertyAssignment(each)) return [{ name: each.name.text, value: each.name }];
		if (!ts.isPropertyAssignment(each)) return [];
		return [{ name: each.name.getText(), value: each.initializer }];
	});
}

/** Texts of at least two words. */
function sentences(part: ts.Node): Text[] {
	return textsOf(part).filter(({ text }) => {
		const words = text.replace(/‹[^›]*›/g, '‹›');
		const isExpression = text.startsWith('={{');
		return /[a-z]{2,}\W+[a-z]+/i.test(words) && words.includes(' ') && !isExpression;
	});
}

/** None if it is something else, or not known. */
function textsOf(part: ts.Node): Text[] {
	// In the table of failures, names in braces stand for what varies.
	if (ts.isStringLiteralLike(part))
		return [{ text: part.text.replace(/\{(\w+)\}/g, '‹$1›'), when: {} }];
	if (ts.isParenthesizedExpression(part)) return textsOf(part.expression);
	if (ts.isTemplateExpression(part)) return textsOfTemplate(part);
	if (ts.isConditionalExpression(part)) {
		const [ifTrue, ifFalse] = [textsOf(part.whenTrue), textsOf(part.whenFalse)];
		if (ifTrue.length + ifFalse.length === 0) return [];
		const condition = part.condition.getText();
		return [
			...combined([{ text: '', when: { [condition]: true } }], orName(ifTrue, part.whenTrue)),
			...combined([{ text: '', when: { [condition]: false } }], orName(ifFalse, part.whenFalse)),
		];
	}
	const constant = ts.isIdentifier(part) ? valueOf(part, part.text) : undefined;
	if (constant === undefined) return [];
	return ts.isNumericLiteral(constant) ? [{ text: constant.text, when: {} }] : textsOf(constant);
}

function textsOfTemplate({ head, templateSpans }: ts.TemplateExpression): Text[] {
	let texts: Text[] = [{ text: head.text, when: {} }];
	for (const { expression, literal } of templateSpans) {
		const known = combined(texts, orName(textsOf(expression), expression));
		texts = known.length <= MAX_ALTERNATIVES ? known : combined(texts, orName([], expression));
		texts = combined(texts, [{ text: literal.text, when: {} }]);
	}
	return texts;
}

/** A name in place of what is not known. */
function orName(texts: Text[], expression: ts.Expression): Text[] {
	return texts.length > 0 ? texts : [{ text: `‹${nameOf(expression)}›`, when: {} }];
}

function combined(firsts: Text[], seconds: Text[]): Text[] {
	return firsts.flatMap((first) =>
		seconds.flatMap((second) => {
			const when = both(first.when, second.when);
			return when === undefined ? [] : [{ text: first.text + second.text, when }];
		}),
	);
}

/** Undefined if they cannot hold at the same time. */
function both(one: Text['when'], other: Text['when']): Text['when'] | undefined {
	const isOpposite = Object.keys(one).some((key) => key in other && one[key] !== other[key]);
	return isOpposite ? undefined : { ...one, ...other };
}

/** The value of the constant of this name that is visible here. */
function valueOf(place: ts.Node, name: string): ts.Expression | undefined {
	for (let scope = place.parent; scope !== undefined; scope = scope.parent) {
		if (ts.isFunctionLike(scope) && scope.parameters.some((each) => hasName(each.name, name)))
			return undefined;
		if (!ts.isBlock(scope) && !ts.isSourceFile(scope)) continue;
		for (const statement of scope.statements.filter(ts.isVariableStatement))
			for (const { name: declared, initializer } of statement.declarationList.declarations)
				if (hasName(declared, name))
					return isConstant(statement) && ts.isIdentifier(declared) ? initializer : undefined;
		if (ts.isSourceFile(scope)) return importedValue(scope, name);
	}
	return undefined;
}

/** The value of the constant that a file imports by this name from another one of the product. */
function importedValue(file: ts.SourceFile, name: string): ts.Expression | undefined {
	for (const { importClause, moduleSpecifier } of file.statements.filter(ts.isImportDeclaration)) {
		const names = importClause?.namedBindings;
		const isNamed =
			names !== undefined && ts.isNamedImports(names) && ts.isStringLiteral(moduleSpecifier);
		if (!isNamed || !moduleSpecifier.text.startsWith('.')) continue;
		if (!names.elements.some((each) => each.name.text === name)) continue;
		const source = path.join(path.dirname(file.fileName), `${moduleSpecifier.text}.ts`);
		const [first] = parsed(source).statements;
		return first === undefined ? undefined : valueOf(first, name);
	}
	return undefined;
}

function isConstant({ declarationList: { flags } }: ts.VariableStatement): boolean {
	return (flags & ts.NodeFlags.Const) !== 0;
}

function hasName(declared: ts.BindingName, name: string): boolean {
	if (ts.isIdentifier(declared)) return declared.text === name;
	return declared.elements.some((each) => ts.isBindingElement(each) && hasName(each.name, name));
}

/** What a part that varies is called, such as `status` for `outcome.status` or `String(status)`. */
function nameOf(expression: ts.Expression): string {
	if (ts.isIdentifier(expression)) return expression.text;
	if (ts.isElementAccessExpression(expression)) return nameOf(expression.expression);
	if (ts.isPropertyAccessExpression(expression))
		return expression.name.text === 'length' ? 'number' : expression.name.text;
	if (!ts.isCallExpression(expression) && !ts.isNewExpression(expression)) return '…';
	const { expression: called, arguments: [first] = [] } = expression;
	if (ts.isPropertyAccessExpression(called)) {
		const isOfList = ['map', 'filter', 'join', 'slice'].includes(called.name.text);
		const isPlain = isOfList || first === undefined || ts.isLiteralExpression(first);
		return nameOf(isPlain ? called.expression : first);
	}
	return first === undefined || ts.isLiteralExpression(first) ? nameOf(called) : nameOf(first);
}

/** Texts that nobody reads: names of modules, values to compare with, and lists of words. */
function isSilent(part: ts.Node): boolean {
	if (ts.isImportDeclaration(part) || ts.isTypeNode(part)) return true;
	if (ts.isBinaryExpression(part))
		return /^[!=]==$/.test(part.operatorToken.getText()) && ts.isStringLiteral(part.right);
	const called = ts.isCallExpression(part) ? part.expression : undefined;
	return (
		called !== undefined &&
		/^['[][^()]*\.\w+$/.test(called.getText()) &&
		part.getText().includes(".split(' ')")
	);
}

/** The fields of items that expressions and code refer to. */
import { Script } from 'node:vm';
import ts from 'typescript';

/** A field of an item, such as `$('Get Uploads').first().json.uploadId`. */
export interface Reference {
	/** The node that puts out the item; undefined for the input. */
	node: string | undefined;
	/** Such as `upload`, `uploadId`. */
	path: string[];
	/** As it is written. */
	text: string;
}

/** What a part of an expression stands for; undefined if it is nothing of an item. */
type Value =
	| { is: 'node' | 'item'; node: string | undefined }
	| { is: 'json'; node: string | undefined; path: string[] }
	| { is: 'list'; of: Value }
	| undefined;

/** The code of a parameter's value: what is between braces, or all of it for the Code node. */
export function codeIn(name: string, value: string): string[] {
	if (name === 'jsCode') return [value];
	if (!value.startsWith('=')) return [];
	return [...value.matchAll(/\{\{(.*?)\}\}(?!\})/gs)].map(([, code = '']) => code);
}

/** @throws if the code is no JavaScript */
export function referencesIn(code: string): Reference[] {
	const reader = new Reader(code);
	reader.visit(reader.source);
	return reader.found;
}

class Reader {
	readonly found: Reference[] = [];
	readonly source: ts.SourceFile;
	/** What variables and parameters stand for. */
	private readonly names = new Map<string, Value>([
		['$json', { is: 'json', node: undefined, path: [] }],
		['$input', { is: 'node', node: undefined }],
	]);

	constructor(code: string) {
		// In parentheses, an object is no block. A Code node has statements, and may return.
		const whole = /\breturn\b|^\s*(const|let|for)\b/.test(code) ? code : `(${code.trim()})`;
		this.source = ts.createSourceFile('code.js', whole, ts.ScriptTarget.Latest, true);
		assertValid(whole, code);
	}

	visit = (part: ts.Node): void => {
		if (ts.isVariableDeclaration(part) && part.initializer !== undefined)
			this.bind(part.name, this.valueOf(part.initializer));
		if (ts.isForOfStatement(part) && ts.isVariableDeclarationList(part.initializer))
			for (const { name } of part.initializer.declarations)
				this.bind(name, elementOf(this.valueOf(part.expression)));
		if (ts.isCallExpression(part)) this.bindParameters(part);
		if (isAccess(part)) {
			const value = this.valueOf(part);
			if (value?.is === 'json' && value.path.length > 0) {
				const { node, path } = value;
				this.found.push({ node, path, text: part.getText(this.source) });
				this.visitArguments(part);
				return;
			}
		}
		ts.forEachChild(part, this.visit);
	};

	/** What else is in a chain: the arguments of its calls, and computed names. */
	private visitArguments(chain: ts.Node): void {
		if (ts.isCallExpression(chain)) {
			this.bindParameters(chain);
			chain.arguments.forEach(this.visit);
		}
		if (ts.isElementAccessExpression(chain)) this.visit(chain.argumentExpression);
		if (isAccess(chain) || ts.isCallExpression(chain) || isWrapped(chain))
			this.visitArguments(chain.expression);
	}

	private bind(name: ts.BindingName, value: Value): void {
		if (ts.isIdentifier(name)) {
			this.names.set(name.text, value);
		} else if (ts.isObjectBindingPattern(name)) {
			for (const each of name.elements) {
				const property = (each.propertyName ?? each.name).getText(this.source);
				const inner = each.dotDotDotToken ? value : memberOf(value, property);
				if (inner?.is === 'json' && inner.path.length > 0)
					this.found.push({ ...inner, text: name.getText(this.source) });
				this.bind(each.name, inner);
			}
		}
	}

	/** The functions that array methods call get the elements. */
	private bindParameters({ expression, arguments: given }: ts.CallExpression): void {
		if (!ts.isPropertyAccessExpression(expression)) return;
		const element = elementOf(this.valueOf(expression.expression));
		for (const each of given.filter(isFunction)) {
			const skipped = expression.name.text === 'reduce' ? 1 : 0;
			const count = expression.name.text === 'sort' ? 2 : 1;
			for (const { name } of each.parameters.slice(skipped, skipped + count))
				this.bind(name, element);
		}
	}

	private valueOf(part: ts.Node): Value {
		if (isWrapped(part)) return this.valueOf(part.expression);
		if (ts.isIdentifier(part)) return this.names.get(part.text);
		if (ts.isCallExpression(part)) return this.resultOf(part);
		if (ts.isPropertyAccessExpression(part)) {
			if (part.expression.getText(this.source) === '$node')
				return { is: 'item', node: part.name.text };
			return memberOf(this.valueOf(part.expression), part.name.text);
		}
		if (!ts.isElementAccessExpression(part)) return undefined;
		const { argumentExpression: name } = part;
		const value = this.valueOf(part.expression);
		if (!ts.isStringLiteralLike(name)) return elementOf(value);
		if (part.expression.getText(this.source) === '$node') return { is: 'item', node: name.text };
		return memberOf(value, name.text);
	}

	private resultOf(call: ts.CallExpression): Value {
		const { expression, arguments: given } = call;
		const [first] = given;
		if (ts.isIdentifier(expression) && expression.text === '$')
			return first && ts.isStringLiteralLike(first) ? { is: 'node', node: first.text } : undefined;
		if (!ts.isPropertyAccessExpression(expression)) return undefined;
		const [on, method] = [this.valueOf(expression.expression), expression.name.text];
		if (on?.is === 'node') {
			const item = { is: 'item', node: on.node } as const;
			return method === 'all' ? { is: 'list', of: item } : item;
		}
		if (on?.is !== 'list') return undefined;
		if (['filter', 'slice', 'sort', 'toSorted', 'reverse', 'concat'].includes(method)) return on;
		if (['find', 'findLast', 'at', 'pop', 'shift'].includes(method)) return on.of;
		if (method !== 'map' || first === undefined || !isFunction(first)) return undefined;
		this.bindParameters(call);
		return { is: 'list', of: this.valueOf(first.body) };
	}
}

/** @throws if it is no JavaScript, which TypeScript's parser would not say */
function assertValid(whole: string, code: string): void {
	try {
		new Script(`(async function () { ${whole} })`);
	} catch (error) {
		throw new Error(`${String(error)}: ${code}`);
	}
}

function memberOf(value: Value, name: string): Value {
	if (value?.is === 'node' && name === 'item') return { is: 'item', node: value.node };
	if (value?.is === 'item' && name === 'json') return { is: 'json', node: value.node, path: [] };
	return value?.is === 'json' ? { ...value, path: [...value.path, name] } : undefined;
}

function elementOf(value: Value): Value {
	return value?.is === 'list' ? value.of : undefined;
}

function isAccess(part: ts.Node) {
	return ts.isPropertyAccessExpression(part) || ts.isElementAccessExpression(part);
}

function isWrapped(part: ts.Node) {
	return ts.isParenthesizedExpression(part) || ts.isNonNullExpression(part);
}

function isFunction(part: ts.Node) {
	return ts.isArrowFunction(part) || ts.isFunctionExpression(part);
}

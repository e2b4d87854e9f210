/**
 * What the fields around the records say: where a list ends, and whether a request with status 200 has failed
 * after all. Services say that in many ways (docs/service.md#errors). Nothing here applies to a record: an
 * upload may have the status `ERROR`.
 */
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../values/objects';
import { readBoolean } from '../values/scalars';
import { isUnset, scalarText, toText } from '../values/text';

/** Names of a list of records, or of an object around it. */
export const RECORD_NAMES = ['content', 'data', 'items', 'results', '_embedded'];
/** Names of objects that may contain the page fields. */
export const PAGE_NAMES = ['page', 'pageable', 'pagination', 'paging', 'meta', 'metadata', '_meta'];
/** Both of them, spelled as `squash` spells names. */
const WRAPPERS = [...RECORD_NAMES, ...PAGE_NAMES].map(squash);

/** Names, without separators, of lists and objects that do not contain the records. */
const SIDE_NAME =
	/^(sort|orderby|links|messages|details?|facets?|filters?|columns?|steps)$|error|warning|violation|(?<!de)fault|trace|param/;

export function isSideName(name: string): boolean {
	return SIDE_NAME.test(squash(name));
}

/** Names, without separators, of objects that say whether the request has succeeded, besides those above. */
const STATUS_OBJECT =
	/^(http|response|result|api|request|operation)?(response|result|status|header|body)$/;
/** The same of lists of such objects. */
const STATUS_LIST = /^(status|messages)$/;

/** The objects directly in an envelope that may say whether the request has failed. */
export function innerEnvelopes(envelope: IDataObject): IDataObject[] {
	return Object.entries(envelope)
		.flatMap(([name, value]): unknown[] => {
			const known = squash(name);
			if (STATUS_LIST.test(known)) return [value].flat();
			return WRAPPERS.includes(known) || STATUS_OBJECT.test(known) ? [value] : [];
		})
		.filter(isObject);
}

/** The page fields of a list; those that the service did not send are undefined. */
export interface PageFields {
	last?: boolean;
	totalPages?: number;
	totalElements?: number;
	size?: number;
	/** The field by which the list is sorted. */
	sortedBy?: string;
}

/** The page fields in an object, or in objects inside it; the first of each name counts. */
export function parsePageFields(body: IDataObject): PageFields {
	const wrappers = [body, ...RECORD_NAMES.map((name) => body[name])].filter(isObject);
	const sources = wrappers.flatMap((each) => [each, ...PAGE_NAMES.map((name) => each[name])]);
	const fields: PageFields = {};
	for (const source of sources.filter(isObject)) {
		// A number would be that of the last page, also as text.
		const isFlag = /^(true|false)$/i.test(scalarText(source.last));
		if (isFlag) fields.last ??= readBoolean(source.last);
		fields.totalPages ??= readCount(source.totalPages);
		fields.totalElements ??= readCount(source.totalElements);
		fields.size ??= readCount(source.size) ?? readCount(source.pageSize);
		fields.sortedBy ??= findSortField(source);
	}
	return fields;
}

/** The `property` of a list, or of its `sort`, which may be an object or a list of them. */
function findSortField(source: IDataObject): string | undefined {
	const orders = [source, source.sort].flat();
	const names = orders.map((order) => (isObject(order) ? order.property : undefined));
	return names.find((name) => typeof name === 'string');
}

/** Some services send numbers as text. */
function readCount(value: unknown): number | undefined {
	const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
	return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : undefined;
}

/**
 * Names of fields that report an error, unless they are empty. Like the other names here, they are in lower
 * case and without separators.
 */
const ERROR_NAME =
	/error|exception|failure|unsuccessful|(?<!de)fault|^err(s|code|msg|no)?$|^failed$/;
/** Names that look like those, but report no error. */
const NO_ERROR_NAME = /(no|without|ignore|on)errors?|errors?(free|handling|policy)/;
/** Names of fields that say whether the request has succeeded. */
const SUCCESS_NAME =
	/^((is|was|has|request)?(success(ful|fully)?|succeed(ed)?)(flag|indicator|status)?|issuccessstatuscode|(is)?(ok|authori[sz]ed|authenticated))$/;
/** Names of fields with a status, as a word or a number. */
const STATUS_NAME =
	/^(http|response|result|return|api|request|operation|success)?(status|code|state|result|outcome)(code|text|message|type)?(value)?$|^(type|kind|level|severity)$/;
/** What the field `name` of an exception contains. */
const EXCEPTION = /^[\w.]+(Error|Exception)$/;
/** Names of fields with a message. */
const MESSAGE_NAME =
	/^(status|result|response)?(messages?|msg|description|details?|reason|info|title)$/;

/**
 * Words for a failed request. Those for a failed upload are in service/uploadStatus.ts, and differ on purpose:
 * no upload is `not found`, and no request is `killed`. `about:blank` is the type of a problem document.
 */
const FAILURE_WORD =
	/\b(err|errors?|errored|fail|failed|fails|failures?|faults?|faulted|exceptions?|invalid|denied|unauthori[sz]ed|unauthenticated|forbidden|bad (request|gateway)|about blank|not (found|ok|successful|authori[sz]ed|permitted|allowed)|nok|ko|rejected|refused|unavailable|blocked|conflict|aborted|cancell?ed|time ?out|timed out|expired|too many|exceeded|exhausted|throttled|unsuccessful)\b/;
const NEGATED = /\b(no|not|non|without|zero) (err|fail|fault|exception)|\berrors? free\b/;
const SUCCESS_WORD = /\b(success|successful|successfully|succeeded|ok|okay)\b/;
/**
 * After the word, NO and WITHOUT are about something else, and so is any negation in a message that begins with
 * it, as in “Success. The customer has not uploaded yet”.
 */
const NOT_SUCCESS =
	/^(?!(success|ok|okay)\b).*(\b(not|cannot|unable|un)\b|\b(no|without)\b.*\b(success|succeeded|ok|okay))/;
/** What an error field contains if there is no error. */
const NOTHING = /^(n|none|nil|n a|no (errors?|faults?|failures?)( (occurred|found|reported))?)$/;
/** How a text ends that says in an error field that all is well, such as “Operation successful”. */
const SUCCESS_END = /\b(ok|okay|success|successful|successfully|succeeded)$/;
const HTTP_ERROR = /^(http[\s/.\d]*[\s_-])?[45]\d\d(\D|$)/i;
/** What else means false in a field that says whether the request has succeeded. */
const NO_SUCCESS = /^(n|f|-1)$/i;

/**
 * Whether a field of an envelope says that the request has failed. Beside records, a number or boolean in an
 * error field and a number as the result are counts or settings.
 */
export function saysFailure(envelope: IDataObject, hasRecords = false): boolean {
	return Object.entries(envelope).some(([name, value]) => {
		const known = squash(name);
		const isNumber = typeof value === 'number';
		if (hasRecords && isNumber && known === 'result') return false;
		if (ERROR_NAME.test(known)) {
			const isCount = hasRecords && (isNumber || typeof value === 'boolean');
			return !NO_ERROR_NAME.test(known) && !isNothing(value, known) && !isCount;
		}
		const text = scalarText(value);
		if (SUCCESS_NAME.test(known))
			return readBoolean(value) === false || NO_SUCCESS.test(text) || isFailureWord(value);
		if (known === 'name') return EXCEPTION.test(text);
		// A 0 is a status of its own, which often means success.
		const isBad = HTTP_ERROR.test(text) || /^false$/i.test(text) || isFailureWord(value);
		return STATUS_NAME.test(known) && isBad;
	});
}

/** Whether an envelope has a message, and none that speaks of success. */
export function hasOtherMessage(envelope: IDataObject): boolean {
	const messages = Object.entries(envelope).filter(
		([name, value]) => MESSAGE_NAME.test(squash(name)) && !isUnset(value),
	);
	const speaksOfSuccess = ([, value]: [string, unknown]) => {
		const words = toWords(toText(value));
		return SUCCESS_WORD.test(words) && !NOT_SUCCESS.test(words);
	};
	return messages.length > 0 && !messages.some(speaksOfSuccess);
}

/** Whether the value of an error field says that there is none. */
function isNothing(value: unknown, name: string): boolean {
	if (isUnset(value) || readBoolean(value) === false) return true;
	if (Array.isArray(value)) return value.every((each) => isNothing(each, name));
	if (isObject(value))
		return Object.entries(value).every(([inner, each]) => isNothing(each, squash(inner)));
	const text = scalarText(value);
	const isSuccessCode = /code|status/.test(name) && /^(0+|2\d\d)$/.test(text);
	if (isSuccessCode || text === '-') return true;
	const words = toWords(text);
	const saysSuccess = SUCCESS_END.test(words) && !NOT_SUCCESS.test(words) && !isFailureWord(text);
	return saysSuccess || NOTHING.test(words);
}

function isFailureWord(value: unknown): boolean {
	const words = toWords(scalarText(value).replace(/^0\s/, 'zero '));
	return FAILURE_WORD.test(words) && !NEGATED.test(words);
}

/** A name in lower case and without separators, the same in most spellings. */
export function squash(name: string): string {
	return name.toLowerCase().replace(/[^a-z]/g, '');
}

/** The words of a text, in lower case, also of one such as `NOT_FOUND` or `notFound`. */
function toWords(text: string): string {
	const apart = text.replace(/([a-z])([A-Z])/g, '$1 $2');
	return apart
		.toLowerCase()
		.replace(/[^a-z]+/g, ' ')
		.trim();
}

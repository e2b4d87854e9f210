/** Questions about users: whose the owners are, without their names. */
import { isObject } from '../../nodes/EngagementUploads/values/objects.ts';
import { isAbsent } from '../../nodes/EngagementUploads/values/text.ts';
import { ENGAGEMENTS, USERS, type Row } from './account.mts';
import { words, type Question } from './question.mts';

const lower = (value: unknown) => String(value).trim().toLowerCase();

const owners: Question = {
	name: 'Owners',
	assumed: 'the owner of an engagement is a member of staff',
	async find(account) {
		const users = await account.list(USERS);
		const types = new Map(users.map((each) => [lower(each.email), lower(each.userType)]));
		const count = { staff: 0, sme: 0, nobody: 0 };
		for (const { Owner } of await account.list(ENGAGEMENTS)) {
			const email = isObject(Owner) && !isAbsent(Owner.email) ? lower(Owner.email) : undefined;
			if (email === undefined) continue;
			const type = types.get(email);
			count[type === undefined ? 'nobody' : type === 'sme' ? 'sme' : 'staff'] += 1;
		}
		const { staff, sme, nobody } = count;
		const seen = `${staff} owners are staff, ${sme} users of type SME, ${nobody} no users`;
		if (staff + sme + nobody === 0) return [undefined, seen];
		return [sme === 0 && nobody === 0, seen];
	},
};

const managers: Question = {
	name: 'Relationship managers',
	assumed: 'relationshipManager is the first and last name of a user',
	async find(account) {
		const users = await account.list(USERS);
		const names = new Set(users.map((each) => lower(`${each.firstName} ${each.lastName}`)));
		const listed = (await account.list(ENGAGEMENTS)).map((each) => each.relationshipManager);
		const given = [...new Set(listed.filter((each) => !isAbsent(each)).map(lower))];
		const known = given.filter((each) => names.has(each)).length;
		const seen = `${known} of ${given.length} are names of users`;
		return [given.length === 0 ? undefined : known === given.length, seen];
	},
};

const TYPES = ['SME', 'Client (Staff)'];
const CODES = ['ACTIVE', 'INVITING', 'DISABLED'];

const userTypes: Question = {
	name: 'Types of users',
	assumed: `userType is ${TYPES.join(' or ')}, statusCode ${CODES.join(', ')}`,
	async find(account) {
		const users = await account.list(USERS);
		const isKnown = ({ userType, statusCode }: Row) =>
			TYPES.includes(String(userType)) && CODES.includes(String(statusCode));
		const [types, codes] = [
			words(users.map((each) => each.userType)),
			words(users.map((each) => each.statusCode)),
		];
		const holds = users.length === 0 ? undefined : users.every(isKnown);
		return [holds, `userType: ${types}; statusCode: ${codes}`];
	},
};

export const questions: Question[] = [owners, managers, userTypes];

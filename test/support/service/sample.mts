import type { ServiceModel } from './model.mts';
import { SeededRandom } from './random.mts';
import { fullName, toOwner, usualUser, type Connector, type User } from './records.mts';
import { addNotableUploads, NOTABLE_IDS } from './sampleStatuses.mts';

const DAY = 24 * 3_600_000;
const ENGAGEMENTS = 320;
const UPLOADS_EACH = 12;
const DAYS_BACK = 90;

/** The engagements whose contacts are users. */
const SMES = [1001, 1004, 1005, 1007, 1010, 1020];

const FIRST_NAMES = 'Amara Ben Chloe Dev Elena Femi Grace Hugo Isla Jonas'.split(' ');
const LAST_NAMES = 'Abbott Bakshi Carver Doyle Ekwueme Farrow Grant Hale Iqbal'.split(' ');
const PLACES = 'Ashby Bramley Corfe Dunmore Elmswell Fairford Glenham Hartwell'.split(' ');
const TRADES = 'Bakery,Joinery,Dental Practice,Logistics,Plumbing,Studios,Farms'.split(',');
const FORMS = ['Ltd', 'LLP', 'Group', '& Sons', 'Partners'];

const CONNECTORS: ReadonlyArray<Pick<Connector, 'name' | 'title' | 'type' | 'isRefreshable'>> = [
	{ name: 'fernbooks', title: 'Fernbooks Online', type: '0', isRefreshable: true },
	{ name: 'quillstone', title: 'Quillstone Cloud', type: '0', isRefreshable: true },
	{ name: 'larkfield', title: 'Larkfield Accounts', type: '0', isRefreshable: true },
	{ name: 'sandgate', title: 'Sandgate Ledger', type: '0', isRefreshable: true },
	{ name: 'pebbleworks', title: 'Pebbleworks Invoicing', type: '0', isRefreshable: false },
	{ name: 'oakline-desktop', title: 'Oakline Desktop', type: '1', isRefreshable: false },
	{ name: 'harbour-50', title: 'Harbour 50', type: '1', isRefreshable: false },
	{ name: 'spreadsheet', title: 'Spreadsheet Import', type: '1', isRefreshable: false },
];

function addConnectors(model: ServiceModel): void {
	for (const [index, connector] of CONNECTORS.entries()) {
		const version = `${index + 1}.4`;
		model.addConnector({
			...connector,
			version,
			description: `${connector.title}, version ${version}`,
			scopes: connector.name === 'spreadsheet' ? ['Full'] : ['Full', 'Collateral'],
		});
	}
}

/** Members of staff, of all states. */
function makeStaff({ now }: ServiceModel, random: SeededRandom): User[] {
	return Array.from({ length: 12 }, (_, index) => {
		const id = SMES.length + index + 1;
		const [firstName, lastName] = [random.pick(FIRST_NAMES), random.pick(LAST_NAMES)];
		const isInvited = index === 11;
		return {
			...usualUser(id, now - (400 + index) * DAY),
			firstName,
			lastName,
			email: `${firstName}.${lastName}${index + 1}@example.com`.toLowerCase(),
			...(isInvited ? { status: 0, statusCode: 'INVITING' } : {}),
			...(index === 10 ? { status: 2, statusCode: 'DISABLED' } : {}),
			lastLoginDate: isInvited ? null : now - random.below(20 * DAY),
		};
	});
}

/** Some customers are users, too. */
function addUsers(model: ServiceModel, staff: readonly User[]): void {
	for (const [index, id] of SMES.entries()) {
		const { contact } = model.engagements.existing(id);
		if (contact === null) throw new Error(`Engagement ${id} has no contact`);
		model.addSme(contact, index % 3 === 2 ? {} : { status: 1, statusCode: 'ACTIVE' });
	}
	for (const user of staff) model.addUser(user);
}

function addEngagements(model: ServiceModel, staff: readonly User[], random: SeededRandom): void {
	for (let id = 1; id <= ENGAGEMENTS; id += 1) {
		const name = [PLACES, TRADES, FORMS].map((words) => random.pick(words)).join(' ');
		const [firstName, lastName] = [random.pick(FIRST_NAMES), random.pick(LAST_NAMES)];
		const connector = random.pick(model.connectors);
		const phone = `020${7_000_0000 + random.below(999_9999)}`;
		const engagement = model.addEngagement({
			id: 1000 + id,
			externalEngagementId: id % 10 === 0 ? null : `CRM-${String(id).padStart(5, '0')}`,
			name,
			relationshipManager: fullName(random.pick(staff)),
			owner: toOwner(random.pick(staff)),
			connectorId: connector.id,
			dataRefreshEnabled: connector.isRefreshable,
			createdAt: model.now - (DAYS_BACK + 10 + random.below(600)) * DAY,
		});
		const title = random.pick(['Director', 'Finance Manager', 'Bookkeeper']);
		const email = `${firstName}.${lastName}@customer${id}.example`.toLowerCase();
		const isNamed = id % 9 !== 0;
		engagement.contact = isNamed ? { firstName, lastName, email, phone, title } : null;
	}
}

function addUploads(model: ServiceModel, random: SeededRandom): void {
	const span = DAYS_BACK * DAY;
	const now = model.now;
	const others = model.engagements.all.filter(({ id }) => !NOTABLE_IDS.has(id));
	const times = Array.from(
		{ length: ENGAGEMENTS * UPLOADS_EACH },
		() => now - 60_000 - random.below(span / 1000) * 1000,
	).sort((a, b) => a - b);
	for (const completedAt of times) {
		const engagementId = random.pick(others).id;
		const createdAt = completedAt - 60_000 - random.below(600_000);
		const upload = model.addCompletedUpload({ engagementId, completedAt, createdAt });
		if (random.below(30) !== 0) continue;
		model.updateUpload(upload.uploadId, {
			status: random.pick(['FAILED', 'ABORTED']),
			completedAt: null,
			finishedSteps: 1 + random.below(3),
		});
	}
}

/** Fills a model with the same few hundred engagements and thousands of uploads every time. */
export function addSampleData(model: ServiceModel): void {
	const random = new SeededRandom(2026);
	addConnectors(model);
	const staff = makeStaff(model, random);
	addEngagements(model, staff, random);
	addUsers(model, staff);
	addUploads(model, random);
	addNotableUploads(model);
}

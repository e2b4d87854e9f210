import { companyFrom, monthlyPeriods } from './defaults.mts';
import type { ServiceModel } from './model.mts';
import type { Company, Engagement, Period } from './records.mts';
import { latestOf } from './uploads.mts';

/** The company of an engagement. */
export function companyOf(model: ServiceModel, engagement: Engagement): Company {
	return companyFrom(engagement, model.companies.get(engagement.id) ?? {});
}

/** The given periods, else months for the last completed upload, else none. */
export function periodsOf(model: ServiceModel, engagement: Engagement): readonly Period[] {
	const set = model.periods.get(engagement.id);
	if (set) return set;
	const uploads = model.uploads.of(engagement.id).filter((upload) => upload.completedAt !== null);
	const latest = latestOf(uploads);
	return latest ? monthlyPeriods(latest) : [];
}

import type { Service } from '../../support/service/service.mts';
import { CONNECTOR } from './workflows.mts';

/** Engagements that have no data yet, and how often each has been refreshed. */
export class NewEngagements {
	private constructor(
		private readonly service: Service,
		readonly ids: number[],
	) {}

	static add(service: Service, count: number): NewEngagements {
		const { model } = service;
		if (!model.findConnector(CONNECTOR)) model.addConnector({ name: CONNECTOR });
		return new NewEngagements(
			service,
			Array.from({ length: count }, () => model.addEngagement().id),
		);
	}

	/** Those that have been refreshed as many times. */
	refreshed(times: number): number[] {
		const { uploads } = this.service.model;
		return this.ids.filter((id) => uploads.of(id).length === times);
	}
}

import type { Connector, Engagement } from './records.mts';
import type { Service } from './service.mts';

/** A request that has passed the checks common to all, with what its path names. */
export interface Call {
	service: Service;
	query: Readonly<Record<string, string>>;
	body: Record<string, unknown> | undefined;
	params: Readonly<Record<string, string>>;
	/** Fails where the path names no engagement. */
	engagement: () => Engagement;
	connector: () => Connector;
}

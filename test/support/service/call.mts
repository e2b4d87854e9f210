import type { Connector, Engagement } from './records.mts';
import type { Service } from './service.mts';

/** A request that has passed the common checks, with its path parameters. */
export interface Call {
	service: Service;
	query: Readonly<Record<string, string>>;
	body: Record<string, unknown> | undefined;
	params: Readonly<Record<string, string>>;
	/** Fails if the engagement in the path does not exist. */
	engagement: () => Engagement;
	connector: () => Connector;
}

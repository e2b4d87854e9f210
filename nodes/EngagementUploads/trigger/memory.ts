/**
 * Where the cursor is kept between polls. n8n's durable polling forgets what the activation poll
 * noted, so a first look is kept in the workflow's own data too, until a first emit.
 */
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { asData, savedState, type CursorState } from './cursor';

export class Memory {
	private readonly own: IDataObject;
	private readonly shared: IDataObject;
	private readonly sharedName: string;

	constructor(context: IPollFunctions) {
		this.own = context.getWorkflowStaticData('node');
		this.shared = context.getWorkflowStaticData('global');
		this.sharedName = `engagementUploadsTrigger ${context.getNode().id}`;
	}

	/**
	 * The state of a service and start as it is now: another poll may have moved it on since. After
	 * they changed, n8n's durable polling still has the state of the old ones, not the new first look.
	 */
	stateOf(source: string): CursorState | undefined {
		const states = [this.own.cursor, this.shared[this.sharedName]].map(savedState);
		return states.find((state) => state?.source === source);
	}

	/** Keeps a state; nothing is assigned when it is what is there. */
	keep(
		state: CursorState,
		{ isFirstLook, isEmitting }: { isFirstLook: boolean; isEmitting: boolean },
	): void {
		const data = asData(state);
		if (isFirstLook) this.shared[this.sharedName] = data;
		else if (isEmitting && Object.hasOwn(this.shared, this.sharedName))
			delete this.shared[this.sharedName];
		if (JSON.stringify(this.own.cursor) !== JSON.stringify(data)) this.own.cursor = data;
	}
}

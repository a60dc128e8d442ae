import type { Reactions } from './events.ts';

/**
 * What happens when something changes: the reactions to each event, in the order in which they run, in the transaction
 * of the event. This is the only file in which a feature learns of the features above it.
 */
export const reactions: Reactions = {};

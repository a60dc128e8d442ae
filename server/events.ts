import type { App } from './app.ts';
import type { Transaction } from './platform/postgres/database.ts';

/**
 * What features report to the features above them, which they do not know. Names in the past tense report a change that
 * the transaction has made; names that start with `before` report one that it is about to make, which a reaction may
 * refuse by throwing a Problem.
 */
// biome-ignore lint/suspicious/noEmptyInterface: events are added with the features that report them
export interface Events {}

/** Reacts to an event, in the transaction in which it happens. */
export type Reaction<Event> = (app: App, tx: Transaction, event: Event) => Promise<void>;

/** The reactions to each event, in the order in which they run. */
export type Reactions = { readonly [Name in keyof Events]: readonly Reaction<Events[Name]>[] };

/** Runs the reactions to an event one after another. Rejects with the first error of a reaction. */
export const react = async <Name extends keyof Events>(
  app: App,
  tx: Transaction,
  name: Name,
  event: Events[Name],
): Promise<void> => {
  const reactions: readonly Reaction<Events[Name]>[] = app.reactions[name];
  for (const reaction of reactions) await reaction(app, tx, event);
};

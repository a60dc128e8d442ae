/**
 * Temporary: functions of features that still have factories, under their final names. Whoever converts a feature exports
 * the function from its public.ts, and replaces the imports of the bridge.
 */
import type { Queryable, Transaction } from '#server/platform/postgres/database.ts';
import type { App, Reaction } from './app.ts';
import type { Events } from './events.ts';
import { createEventLineService } from './features/conversations/public.ts';
import { createServices } from './start/services.ts';

type Services = ReturnType<typeof createServices>;
const servicesByApp = new WeakMap<App, Services>();
const legacy = (app: App): Services => {
  const services = servicesByApp.get(app) ?? createServices(app);
  servicesByApp.set(app, services);
  return services;
};

type Rest<F> = F extends (...args: infer Args) => unknown ? Args : never;

// Conversations
type EventLines = Services['eventLines'];
export const openForOffer = (app: App, ...args: Rest<EventLines['openForOffer']>) =>
  legacy(app).eventLines.openForOffer(...args);
export const appendEventLine = (app: App, ...args: Rest<EventLines['appendEventLine']>) =>
  legacy(app).eventLines.appendEventLine(...args);
export const appendLaterEventLine = (app: App, ...args: Rest<EventLines['appendLaterEventLine']>) =>
  legacy(app).eventLines.appendLaterEventLine(...args);
// Needs nothing but the transaction.
type FindEventLine = EventLines['findEventLine'];
export const findEventLine = (...args: Parameters<FindEventLine>): ReturnType<FindEventLine> =>
  createEventLineService({} as Parameters<typeof createEventLineService>[0]).findEventLine(...args);
export const announceEventLine = (app: App, ...args: Rest<EventLines['announceEventLine']>) =>
  legacy(app).eventLines.announceEventLine(...args);
export const announceConversationChange = (app: App, ...args: Rest<EventLines['announceChange']>) =>
  legacy(app).eventLines.announceChange(...args);
export const announceChangeAbout = (app: App, listingId: string, buyerId: string): Promise<void> =>
  legacy(app).conversations.announceChangeAbout(listingId, buyerId);

// Moderation
export const openSignal: Reaction<Events['signal_noticed']> = (app, tx, signal) =>
  legacy(app).moderation.openSignal(tx, signal);
export const endWaitingActions = (app: App, tx: Queryable, userId: string): Promise<void> =>
  legacy(app).endWaitingActions(tx as Transaction, userId);
type CaseRemoval = Services['moderation']['caseRemoval'];
export const removeCasesResolvedBefore = (app: App, ...args: Rest<CaseRemoval['removeResolvedBefore']>) =>
  legacy(app).moderation.caseRemoval.removeResolvedBefore(...args);

// Accounts
type AccountModeration = Services['accountModeration'];
export const suspendAccountWithin = (app: App, ...args: Rest<AccountModeration['suspendWithin']>) =>
  legacy(app).accountModeration.suspendWithin(...args);
export const liftSuspensionWithin = (app: App, ...args: Rest<AccountModeration['liftWithin']>) =>
  legacy(app).accountModeration.liftWithin(...args);

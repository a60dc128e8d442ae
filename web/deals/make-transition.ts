import { calls } from '#contract/calls.ts';
import type { ChangedDeal, Deal, DealTransitionBody } from '#contract/deals.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { createUuid } from '#web/lib/uuid.ts';
import { applyDeal, parseDealFromError } from './deal-cache.ts';

type WithoutClientId<Body> = Body extends unknown ? Omit<Body, 'client_id'> : never;

/** The name of a deal transition with its data, as in `{ transition: 'counter', price: 100 }`. */
export type TransitionInput = WithoutClientId<DealTransitionBody>;

/**
 * The client ids of transition attempts that got no response, by attempt. A retry sends the same id, so
 * that the server makes the transition only once even if the first attempt did reach it.
 */
const unansweredAttempts = new Map<string, string>();

/** Returns whether the server refused a call because the deal has changed in the meantime. */
export const isDealChangedError = (reason: unknown): reason is ApiError =>
  reason instanceof ApiError && reason.code === 'deal_moved_on';

/**
 * Caches the deal's current state, which the server sends when it refuses a transition. Returns this state,
 * or undefined if the error contains no deal.
 */
export const applyDealFromError = (ownId: string, { body }: ApiError): Deal | undefined => {
  const current = parseDealFromError(body);
  if (current) applyDeal(ownId, current);
  return current;
};

/**
 * Calls `send` with a client id. If an earlier call for the same `attempt` got no response, `send`
 * receives the same id again, so that the server can recognize the retry.
 */
export const sendWithClientId = async <Result>(
  attempt: string,
  send: (clientId: string) => Promise<Result>,
): Promise<Result> => {
  const clientId = unansweredAttempts.get(attempt) ?? createUuid();
  unansweredAttempts.set(attempt, clientId);
  try {
    const result = await send(clientId);
    unansweredAttempts.delete(attempt);
    return result;
  } catch (reason) {
    if (reason instanceof ApiError && reason.status >= 400 && reason.status < 500)
      unansweredAttempts.delete(attempt);
    throw reason;
  }
};

/**
 * Makes a transition and updates the deal on every screen. If the deal has changed in the meantime,
 * shows its current state and throws the server's error.
 */
export const makeTransition = async (
  ownId: string,
  deal: Deal,
  input: TransitionInput,
): Promise<ChangedDeal> => {
  // `updated_at` is part of the key, because the same transition of a deal that has changed is a new
  // attempt, such as a second suggestion to meet.
  const attempt = `${deal.id} ${deal.updated_at} ${JSON.stringify(input)}`;
  try {
    const changed = await sendWithClientId(attempt, (client_id) =>
      request(calls.makeDealTransition, { params: { id: deal.id }, body: { ...input, client_id } }),
    );
    applyDeal(ownId, changed);
    return changed;
  } catch (reason) {
    if (isDealChangedError(reason)) applyDealFromError(ownId, reason);
    throw reason;
  }
};

import { calls } from '#contract/calls.ts';
import type { Deal, DealTransitionBody } from '#contract/deals.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { createUuid } from '#web/lib/new-id.ts';
import { applyDeal, readMovedDeal } from './deal-cache.ts';

type WithoutClientId<Body> = Body extends unknown ? Omit<Body, 'client_id'> : never;

/** A transition with its data, as in `{ transition: 'counter', price: 100 }`. */
export type TransitionInput = WithoutClientId<DealTransitionBody>;

/**
 * Client ids of attempts that got no response. A retry sends the same id, so that the server makes
 * the transition at most once even if it received the first attempt.
 */
const unansweredAttempts = new Map<string, string>();

/** Returns whether the server refused a call because the deal has changed in the meantime. */
export const isDealMovedOn = (reason: unknown): reason is ApiError =>
  reason instanceof ApiError && reason.code === 'deal_moved_on';

/** Updates the deal from the body of a refusal and returns it; undefined when the body contains no deal. */
export const applyMovedDeal = (ownId: string, { body }: ApiError): Deal | undefined => {
  const current = readMovedDeal(body);
  if (current) applyDeal(ownId, current);
  return current;
};

/** Calls `send` with a client id; a retry of an attempt that got no response sends the same id. */
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
export const makeTransition = async (ownId: string, deal: Deal, input: TransitionInput): Promise<Deal> => {
  // After the deal has changed, the same transition counts as a new one, such as a second suggestion to meet.
  const attempt = `${deal.id} ${deal.updated_at} ${JSON.stringify(input)}`;
  try {
    const changed = await sendWithClientId(attempt, (client_id) =>
      request(calls.takeDealTransition, { params: { id: deal.id }, body: { ...input, client_id } }),
    );
    applyDeal(ownId, changed);
    return changed;
  } catch (reason) {
    if (isDealMovedOn(reason)) applyMovedDeal(ownId, reason);
    throw reason;
  }
};

import { calls } from '#contract/calls.ts';
import type { Deal, DealTransitionBody } from '#contract/deals.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { createUuid } from '#web/lib/new-id.ts';
import { applyDeal, readMovedDeal } from './deal-cache.ts';

type WithoutClientId<Body> = Body extends unknown ? Omit<Body, 'client_id'> : never;

/** A transition with its data, as in `{ transition: 'counter', price: 100 }`. */
export type TransitionInput = WithoutClientId<DealTransitionBody>;

/**
 * Client ids of attempts without a response. Repeating such an attempt with the same id does it at
 * most once, even if the server received the first one.
 */
const unansweredAttempts = new Map<string, string>();

/** Returns whether the server refused a call because the deal has changed in the meantime. */
export const isDealMovedOn = (reason: unknown): reason is ApiError =>
  reason instanceof ApiError && reason.code === 'deal_moved_on';

/** Shows the current state of the deal in the body of a refusal, and returns it; undefined when there is none. */
export const applyMovedDeal = (ownId: string, { body }: ApiError): Deal | undefined => {
  const current = readMovedDeal(body);
  if (current) applyDeal(ownId, current);
  return current;
};

/** Calls `send` with the client id of an attempt; a repeated attempt without a response gets the same id. */
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
 * Makes a transition and shows its result on every screen. If the deal has moved on, shows its
 * current state and throws the server's error.
 */
export const makeTransition = async (ownId: string, deal: Deal, input: TransitionInput): Promise<Deal> => {
  // Once the deal has changed, the same transition is a new one, as with a second suggestion to meet.
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

import { expect } from 'vitest';
import type { DealEventLine } from '#contract/deal-event-lines.ts';
import { getStateAfterTransition } from '#contract/deal-process.ts';
import { type DealTransition, dealTransitions } from '#contract/deal-transitions.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';

const transitions: readonly DealTransition[] = dealTransitions;

/**
 * Rebuilds each deal of a listing from the messages that record its transitions, and expects the result to
 * equal the stored deal. Returns the transitions of the table that were used.
 */
export const assertReplayMatchesState = async (
  sql: Queryable,
  listingId: string,
): Promise<DealTransition[]> => {
  const made: DealTransition[] = [];
  const stored = await sql`SELECT * FROM deals WHERE listing_id = ${listingId}`;
  for (const deal of stored) {
    const lines = await sql<{ data: DealEventLine }[]>`
      SELECT data FROM messages WHERE conversation_id = ${deal.conversation_id} AND data->>'deal_id' = ${deal.id} ORDER BY seq`;
    let state: DealEventLine['from'] = null;
    for (const [index, { data }] of lines.entries()) {
      expect([data.number, data.from]).toEqual([index + 1, state]);
      const transition = transitions.find(
        (it) =>
          it.name === data.transition &&
          it.from.includes(data.from) &&
          (it.kinds ?? [data.kind]).includes(data.kind) &&
          getStateAfterTransition(it, data.kind) === data.state,
      );
      if (!transition)
        throw new Error(`The table has no ${data.transition} from ${data.from} to ${data.state}`);
      made.push(transition);
      state = data.state;
    }
    expect(lines.at(-1)?.data).toMatchObject({
      number: deal.number,
      state: deal.state,
      turn: deal.turn,
      price: deal.price,
      first_day: deal.first_day,
      last_day: deal.last_day,
      requested_last_day: deal.requested_last_day,
      // Do not compare deadlines that change without a message: a waiting offer loses its deadline, and a
      // claim in a queue may get a new one.
      ...(deal.is_waiting || (deal.kind === 'gift' && deal.state === 'offered')
        ? {}
        : { deadline_at: deal.deadline_at?.toISOString() ?? null }),
    });
  }
  return made;
};

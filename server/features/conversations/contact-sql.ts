import { rentedOutDealStates } from '#contract/deal-states.ts';
import { toBlockedSql, toMayContactSql } from '#server/features/blocks/sql.ts';
import { quoteLiterals } from '#server/platform/postgres/sql-fragments.ts';

const toRentedOutSql = (conversationId: string): string =>
  `EXISTS (SELECT FROM deals d WHERE d.conversation_id = ${conversationId} AND d.kind = 'rental'
    AND d.state IN ${quoteLiterals(rentedOutDealStates).text})`;

/** SQL expressions of a conversation's columns. */
interface ConversationColumns {
  id: string;
  /** The ids of the two parties. */
  one: string;
  other: string;
}

/**
 * Returns the SQL condition that the parties of a conversation may send messages: neither is suspended and neither has
 * blocked the other, or one is renting an item from the other.
 */
export const toMayWriteSql = ({ id, one, other }: ConversationColumns): string =>
  `((${toMayContactSql(one, other)}) OR ${toRentedOutSql(id)})`;

/**
 * Returns the SQL condition that the party `one` gets no notifications about the conversation, because they blocked the
 * party `other` and there is no rental in progress between the two.
 */
export const toMutedSql = ({ id, one, other }: ConversationColumns): string =>
  `(${toBlockedSql(one, other)} AND NOT ${toRentedOutSql(id)})`;

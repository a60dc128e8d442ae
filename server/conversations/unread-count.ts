/** SQL expressions for columns of a conversation as one of its parties sees it. */
interface PartyColumns {
  id: string;
  lastSeq: string;
  readSeq: string;
  /** The newest message that this party stored without reading the messages before it. */
  actedSeq: string;
  userId: string;
}

/**
 * Returns the SQL that counts a party's unread messages: those after the read position that are not
 * their own. Message numbers have no gaps, so their difference is the number of messages. Sending a
 * message marks the earlier ones as read, so own messages follow the read position only after steps
 * of a deal, and only then are they counted.
 */
export const toUnreadCountSql = ({ id, lastSeq, readSeq, actedSeq, userId }: PartyColumns): string =>
  `(${lastSeq} - ${readSeq} - CASE WHEN ${actedSeq} > ${readSeq} THEN (
    SELECT count(*) FROM messages own WHERE own.conversation_id = ${id} AND own.seq > ${readSeq}
      AND own.seq <= ${actedSeq} AND own.sender_id = ${userId}) ELSE 0 END)`;

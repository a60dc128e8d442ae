/** SQL expressions for columns of a conversation as one of its parties sees it. */
interface PartyColumns {
  id: string;
  lastSeq: string;
  readSeq: string;
  /** The newest message that this party stored, which may be after messages that they have not read. */
  actedSeq: string;
  userId: string;
}

/**
 * Returns the SQL that counts a party's unread messages: those after the read position that the party did not send.
 * Message numbers have no gaps, so subtracting the read position from the newest number gives the number of messages
 * after it. Own messages must be subtracted only if `actedSeq` is after the read position: transitions of a deal leave
 * earlier messages unread, and so does a message whose sender had not seen them.
 */
export const toUnreadCountSql = ({ id, lastSeq, readSeq, actedSeq, userId }: PartyColumns): string =>
  `(${lastSeq} - ${readSeq} - CASE WHEN ${actedSeq} > ${readSeq} THEN (
    SELECT count(*) FROM messages own WHERE own.conversation_id = ${id} AND own.seq > ${readSeq}
      AND own.seq <= ${actedSeq} AND own.sender_id = ${userId}) ELSE 0 END)`;

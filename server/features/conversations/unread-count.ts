/**
 * Returns the SQL that counts the unread messages of a row of `conversationSides`, given its alias: those after the read
 * position that the party did not send. Message numbers have no gaps, so subtracting the read position from the newest
 * number gives the number of messages after it. Own messages must be subtracted only if `acted_seq`, the newest message
 * that the party stored, is after the read position: transitions of a deal leave earlier messages unread, and so does a
 * message whose sender had not seen them. Messages that the other party has unsent do not count either. A conversation that
 * the party has marked as unread counts as one message.
 */
export const toUnreadCountSql = (side: string): string =>
  `greatest(${side}.marked_unread::int, ${side}.last_seq - ${side}.read_seq - CASE WHEN ${side}.acted_seq > ${side}.read_seq THEN (
    SELECT count(*) FROM messages own WHERE own.conversation_id = ${side}.id AND own.seq > ${side}.read_seq
      AND own.seq <= ${side}.acted_seq AND own.sender_id = ${side}.user_id) ELSE 0 END
    - CASE WHEN ${side}.last_seq > ${side}.read_seq THEN (
    SELECT count(*) FROM messages unsent WHERE unsent.conversation_id = ${side}.id AND unsent.unsent_number IS NOT NULL
      AND unsent.seq > ${side}.read_seq AND unsent.sender_id IS DISTINCT FROM ${side}.user_id) ELSE 0 END)`;

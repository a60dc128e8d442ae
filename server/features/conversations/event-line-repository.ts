import type { MessageKind } from '#contract/conversations.ts';
import type { EventLine } from '#contract/deal-event-lines.ts';
import { insertDuePushes } from '#server/features/notifications/sql.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { fragment, json } from '#server/platform/postgres/sql-fragments.ts';
import type { MessageRow } from './message-repository.ts';
import type { ConversationPartiesRow } from './repository.ts';
import { setForEachParty, setForParty } from './sql.ts';

/** A message that is stored without marking the earlier ones as read. */
export interface MessageToAppend {
  conversationId: string;
  /** The party that acted, or null for event lines of the server. */
  actorId: string | null;
  /** Whether the server acted on the party's behalf; the party then does not count as active. */
  isAutomatic: boolean;
  /**
   * A party that did not act, but for whom the message does not count as unread if they have no
   * other unread messages.
   */
  silentFor: string | null;
  /** Idempotency key of the message; for an event line of the server, also the id of the message. */
  clientId: string;
  kind: MessageKind;
  text: string;
  data: EventLine | null;
  now: Date;
  /**
   * Whether an email about unread messages may be sent for this message, to everybody except its
   * actor and `silentFor`.
   */
  isMailed: boolean;
}

/** Locks a conversation until the transaction ends. Returns undefined when it does not exist. */
export const lockConversation = async (
  tx: Queryable,
  id: string,
): Promise<(ConversationPartiesRow & { last_seq: number }) | undefined> => {
  const [row] = await tx<(ConversationPartiesRow & { last_seq: number })[]>`
    SELECT buyer_id, seller_id, last_seq FROM conversations WHERE id = ${id} FOR NO KEY UPDATE`;
  return row;
};

export const findActorMessageByClientId = async (
  tx: Queryable,
  { conversationId, actorId, clientId }: Pick<MessageToAppend, 'conversationId' | 'actorId' | 'clientId'>,
): Promise<MessageRow | undefined> => {
  const [row] = await tx<MessageRow[]>`
    SELECT id, conversation_id, seq, sender_id, client_id, message_text, created_at, kind, data FROM messages
    WHERE conversation_id = ${conversationId} AND client_id = ${clientId}
      AND ${actorId === null ? fragment`id = ${clientId}` : fragment`sender_id = ${actorId}`}`;
  return row;
};

/**
 * Stores a message with the next seq in a conversation that the transaction has locked. Earlier
 * unread messages of the actor stay unread. Returns undefined when the conversation does not exist.
 */
export const appendMessage = async (
  tx: Queryable,
  {
    conversationId,
    actorId,
    isAutomatic,
    silentFor,
    clientId,
    kind,
    text,
    data,
    now,
    isMailed,
  }: MessageToAppend,
): Promise<MessageRow | undefined> => {
  const [row] = await tx<MessageRow[]>`
    WITH given (now, actor, reader, seen_by, is_mailed) AS (
      VALUES (${now}::timestamptz, ${actorId}::uuid, ${actorId ?? silentFor}::uuid,
        ${isAutomatic ? null : actorId}::uuid, ${isMailed}::boolean)
    ),
    c AS (
      UPDATE conversations SET
        last_seq = last_seq + 1,
        created_at = CASE WHEN last_seq = 0 THEN now ELSE created_at END,
        updated_at = greatest(updated_at, now),
        ${setForParty(fragment`reader`, ({ read_seq }) => ({
          read_seq: fragment`CASE WHEN ${read_seq} = last_seq THEN last_seq + 1 ELSE ${read_seq} END`,
        }))},
        ${setForParty(fragment`actor`, () => ({ acted_seq: fragment`last_seq + 1` }))},
        ${setForParty(fragment`seen_by`, () => ({ seen_at: fragment`now` }))},
        ${setForEachParty(
          ({ id, waiting_since, waiting_from }) => fragment`
            ${waiting_since} = CASE WHEN is_mailed AND ${id} IS NOT NULL AND ${id} IS DISTINCT FROM reader
              THEN coalesce(${waiting_since}, now) ELSE ${waiting_since} END,
            ${waiting_from} = CASE WHEN ${id} IS NOT NULL AND ${waiting_since} IS NULL
              THEN last_seq + 1 ELSE ${waiting_from} END`,
        )}
      FROM given WHERE id = ${conversationId}
      RETURNING id, last_seq, actor, now, buyer_id, seller_id
    ),
    due AS (${insertDuePushes(
      fragment`SELECT person, 'conversation', id, ${kind === 'text' ? 'messages' : 'deals'}::text, ''
        FROM c, unnest(ARRAY[buyer_id, seller_id]) AS person
        WHERE person IS DISTINCT FROM actor AND person IS DISTINCT FROM ${silentFor}::uuid AND person IS NOT NULL`,
      now,
    )})
    INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, message_text, created_at, kind, data)
    SELECT ${actorId === null ? fragment`${clientId}::uuid` : fragment`gen_random_uuid()`}, id, last_seq, actor, ${clientId}, ${text},
      now, ${kind}, ${data === null ? null : json(data)}
    FROM c
    RETURNING id, conversation_id, seq, sender_id, client_id, message_text, created_at, kind, data`;
  return row;
};

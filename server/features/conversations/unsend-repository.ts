import { unsentMessageText } from '#contract/conversations.ts';
import { unsentPushDetail } from '#contract/pwa.ts';
import { insertDuePushes } from '#server/features/notifications/sql.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { fragment } from '#server/platform/postgres/sql-fragments.ts';
import {
  type ConversationPartyIds,
  type MessageRow,
  messageColumns,
  toUnsentCountSql,
} from './message-repository.ts';
import { conversationSides } from './sql.ts';

/**
 * Deletes the text and the photos of a message whose conversation the transaction has locked. Returns the message, and the
 * URLs of the photos, whose files remain to be deleted. Waits for a report that is quoting the message.
 */
export const saveUnsentMessage = async (
  tx: Queryable,
  { id, conversation_id: conversationId }: Pick<MessageRow, 'id' | 'conversation_id'>,
): Promise<{ unsent: MessageRow; photoUrls: string[] }> => {
  const photos = await tx<{ url: string }[]>`
    DELETE FROM private.objects o USING messages m
    WHERE m.id = ${id} AND o.bucket = 'message-photos'
      AND o.path = ANY (SELECT m.sender_id || '/' || photo || '.jpg' FROM unnest(m.photos) AS photo)
    RETURNING o.url`;
  const [unsent] = await tx<MessageRow[]>`
    UPDATE messages SET message_text = ${unsentMessageText}, photos = NULL, reply_to_seq = NULL,
      unsent_number = 1 + ${toUnsentCountSql(conversationId)}
    WHERE id = ${id} RETURNING ${messageColumns}`;
  if (!unsent) throw new Error('A message has disappeared');
  return { unsent, photoUrls: photos.map(({ url }) => url) };
};

/**
 * Schedules a push notification that replaces the one about a message that was unsent, if the other party has not read it.
 * Does nothing while that push is still due: it will be about what is unread when it is sent.
 */
export const queueUnsentPush = async (
  tx: Queryable,
  { id, userId, seq, now }: ConversationPartyIds & { seq: number; now: Date },
): Promise<void> => {
  await tx`
    WITH side AS (
      SELECT user_id FROM ${conversationSides} AS side
      WHERE id = ${id} AND other_id = ${userId} AND user_id IS NOT NULL AND read_seq < ${seq}
    ),
    due AS (
      SELECT d.user_id FROM due_pushes d JOIN side USING (user_id)
      WHERE d.source = 'conversation' AND d.subject_id = ${id} AND d.kind = 'messages' AND d.detail = ''
      FOR UPDATE OF d
    )
    ${insertDuePushes(
      fragment`SELECT user_id, 'conversation', ${id}::uuid, 'messages', ${unsentPushDetail}::text FROM side
        WHERE NOT EXISTS (SELECT FROM due)`,
      now,
    )}`;
};

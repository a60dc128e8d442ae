import type { MessagePhoto } from '#contract/conversations.ts';
import { buildMessagePhotoObjectPath } from '#server/features/photos/sql.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import type { ConversationPartyIds, MessageRow } from './message-repository.ts';

/**
 * Adds photos to a message of the current transaction, and locks them. Returns false when one of them is not the sender's,
 * was removed, or belongs to a message already.
 */
export const addPhotos = async (
  tx: Queryable,
  { id, sender_id: senderId }: Pick<MessageRow, 'id' | 'sender_id'>,
  photoIds: readonly string[],
): Promise<MessagePhoto[] | undefined> => {
  const paths = photoIds.map((photoId) => buildMessagePhotoObjectPath(senderId ?? '', photoId));
  const objects = await tx<{ path: string; width: number; height: number; thumbhash: string }[]>`
    WITH added AS (
      UPDATE private.objects SET message_id = ${id}
      WHERE bucket = 'message-photos' AND path = ANY (${paths}) AND message_id IS NULL
      RETURNING path, width, height, thumbhash
    ),
    changed AS (UPDATE messages SET photos = ${[...photoIds]}::uuid[] WHERE id = ${id})
    SELECT path, width, height, thumbhash FROM added`;
  const photos = paths.flatMap((path, index) => {
    const object = objects.find((one) => one.path === path);
    const photoId = photoIds[index];
    if (!object || photoId === undefined) return [];
    return [{ id: photoId, width: object.width, height: object.height, thumbhash: object.thumbhash }];
  });
  return objects.length === photoIds.length ? photos : undefined;
};

/** Returns the path of a photo in a conversation of the person, or undefined when there is no such photo. */
export const findPhotoPath = async (
  sql: Queryable,
  { id, userId, photoId }: ConversationPartyIds & { photoId: string },
): Promise<string | undefined> => {
  const [photo] = await sql<{ path: string }[]>`
    SELECT o.path FROM conversations c
    JOIN messages m ON m.conversation_id = c.id
    JOIN private.objects o ON o.bucket = 'message-photos' AND o.message_id = m.id
    WHERE c.id = ${id} AND ${userId} IN (c.buyer_id, c.seller_id)
      AND o.path IN (c.buyer_id || '/' || ${photoId}::text || '.jpg', c.seller_id || '/' || ${photoId}::text || '.jpg')`;
  return photo?.path;
};

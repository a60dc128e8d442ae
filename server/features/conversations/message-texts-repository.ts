import type { Queryable } from '#server/platform/postgres/database.ts';
import { fragment, trustedSql } from '#server/platform/postgres/sql-fragments.ts';

/** Number of messages in a row of `message_texts`; the trigger of migration 0204 knows it, too. */
export const messagesPerBlock = 20;
const perBlockSql = trustedSql(String(messagesPerBlock));

/** Lists the ids of the next conversations after an id, in the order of ids, with messages that are not folded. */
export const listUnfoldedConversations = async (
  sql: Queryable,
  { afterId, limit }: { afterId: string; limit: number },
): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    SELECT id FROM conversations WHERE id > ${afterId} AND folded_seq < last_seq
    ORDER BY id LIMIT ${limit}`;
  return rows.map(({ id }) => id);
};

/**
 * Locks those of the given conversations that nobody else has locked, until the transaction ends. Returns their ids.
 */
export const lockFreeConversations = async (tx: Queryable, ids: readonly string[]): Promise<string[]> => {
  const rows = await tx<{ id: string }[]>`
    SELECT id FROM conversations WHERE id = ANY (${[...ids]}::uuid[]) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`;
  return rows.map(({ id }) => id);
};

/** Stores the folded texts of messages of locked conversations that are not folded yet, and of those in the same blocks. */
export const foldMessages = async (tx: Queryable, ids: readonly string[]): Promise<void> => {
  const blockSql = fragment`(m.seq - 1) / ${perBlockSql}`;
  await tx`
    INSERT INTO message_texts (conversation_id, block, to_seq, folded_text)
    SELECT c.id, ${blockSql}, max(m.seq), coalesce(string_agg(private.fold(m.message_text), E'\\n' ORDER BY m.seq)
      FILTER (WHERE m.kind = 'text' AND m.unsent_number IS NULL), '')
    FROM unnest(${[...ids]}::uuid[]) AS c (id)
    JOIN messages m ON m.conversation_id = c.id
      AND m.seq > coalesce((SELECT max(to_seq) FROM message_texts WHERE conversation_id = c.id), 0) / ${perBlockSql} * ${perBlockSql}
    GROUP BY c.id, ${blockSql}
    ON CONFLICT (conversation_id, block) DO UPDATE SET to_seq = excluded.to_seq, folded_text = excluded.folded_text`;
  await tx`UPDATE conversations SET folded_seq = last_seq WHERE id = ANY (${[...ids]}::uuid[])`;
};

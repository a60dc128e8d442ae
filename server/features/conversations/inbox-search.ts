import { foldText } from '#contract/search-text.ts';
import { toContainsCondition, toRarelyContainsCondition } from '#server/features/listings/sql.ts';
import { type Fragment, fragment, trustedSql } from '#server/platform/postgres/sql-fragments.ts';
import { messagesPerBlock } from './message-texts-repository.ts';

/** Number of characters of a long message that are displayed before the found text. */
const charactersBeforeMatch = 60;

const perBlockSql = trustedSql(String(messagesPerBlock));

/** Parts of a statement that reads rows of `conversationSides`, with the alias `side`. */
interface SearchFragments {
  columns: Fragment;
  joins: Fragment;
  condition: Fragment;
}

/**
 * Returns the parts that leave only conversations in which the name of the other person, the title of the listing or a
 * message contains a folded text, as a search for listings does. `block` is the newest block of folded messages that
 * contains it. OFFSET 0 keeps PostgreSQL from folding a text once for each comparison.
 */
export const toSearchFragments = (searched: string): SearchFragments => ({
  columns: fragment`, stored.to_seq AS folded_to_seq, stored.block AS found_block`,
  joins: fragment`
    CROSS JOIN LATERAL (
      SELECT private.fold(names) AS folded FROM (
        SELECT concat_ws(E'\\n', (SELECT display_name FROM users WHERE users.id = side.other_id), coalesce(
          (SELECT title FROM listings WHERE listings.id = side.listing_id AND status IN ('published', 'sold')),
          side.listing_title)) AS names OFFSET 0
      ) AS plain OFFSET 0
    ) AS label
    CROSS JOIN LATERAL (
      SELECT coalesce(max(t.to_seq), 0) AS to_seq,
        max(t.block) FILTER (WHERE ${toRarelyContainsCondition(fragment`t.folded_text`, searched)}) AS block
      FROM message_texts t WHERE t.conversation_id = side.id
    ) AS stored`,
  condition: fragment`AND (
    stored.block IS NOT NULL OR ${toContainsCondition(fragment`label.folded`, searched)}
    OR side.last_seq > stored.to_seq AND EXISTS (
      SELECT FROM (
        SELECT private.fold(message_text) AS folded FROM messages
        WHERE conversation_id = side.id AND seq > stored.to_seq AND kind = 'text' AND unsent_number IS NULL OFFSET 0
      ) AS later WHERE ${toContainsCondition(fragment`later.folded`, searched)}))`,
});

/** Returns the join that adds the newest `count` found messages of each row `c`, as `found.messages`. */
export const toFoundMessagesJoin = (searched: string, count: number): Fragment => fragment`
  LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object('seq', seq, 'sender_id', sender_id, 'message_text', message_text,
      'created_at', created_at) ORDER BY seq DESC) AS messages
    FROM (
      SELECT * FROM (
        SELECT seq, sender_id, message_text, created_at, private.fold(message_text) AS folded FROM messages
        WHERE conversation_id = c.id AND kind = 'text' AND unsent_number IS NULL AND (seq > c.folded_to_seq
          OR seq > c.found_block * ${perBlockSql} AND seq <= (c.found_block + 1) * ${perBlockSql})
        ORDER BY seq DESC OFFSET 0
      ) AS candidates
      WHERE ${toContainsCondition(fragment`candidates.folded`, searched)} LIMIT ${count}
    ) AS newest
  ) AS found ON true`;

/** Returns the part of a message with the first found text, up to `length` characters. */
export const toExcerpt = (text: string, searched: string, length: number): string => {
  const characters = [...text];
  if (characters.length <= length) return text;
  // Folding may change the number of characters a little; the excerpt has room for that.
  const index = [...foldText(text).split(searched, 1).join('')].length;
  const start = Math.max(0, Math.min(index - charactersBeforeMatch, characters.length - length));
  return `${start > 0 ? '…' : ''}${characters.slice(start, start + length).join('')}`;
};

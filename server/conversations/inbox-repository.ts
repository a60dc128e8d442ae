import type { Conversation } from '#contract/conversations.ts';
import { inboxPageSize, lastMessageLength } from '#contract/conversations.ts';
import type { JsonText } from '#server/platform/json-text.ts';
import type { Fragment, Queryable } from '#server/platform/postgres/database.ts';
import { fragment, trusted } from '#server/platform/sql-fragments.ts';
import { jsonInstant, jsonObject, jsonText, jsonValue, jsonWord } from '#server/platform/sql-json.ts';

/** Where a page of an inbox ended. */
export interface InboxPosition {
  /** ISO 8601 in UTC, to the microsecond. */
  updatedAt: string;
  id: string;
}

export interface InboxPage {
  conversations: JsonText<Conversation>[];
  /** Where the page ended, if there is more. */
  end: InboxPosition | undefined;
}

// A draft is its owner's alone, so an unpublished listing is joined no more than a deleted one. As seq is dense and
// sending marks all before as read, what is unread is the distance between two numbers.
const conversationJson = trusted(
  jsonObject({
    id: jsonWord('c.id'),
    listing_id: jsonWord('c.listing_id'),
    buyer_id: jsonWord('c.buyer_id'),
    seller_id: jsonWord('c.seller_id'),
    updated_at: jsonInstant('c.updated_at'),
    listing: jsonObject({
      title: jsonText('coalesce(l.title, c.listing_title)'),
      available: jsonValue('l.id IS NOT NULL'),
      slug: jsonWord('l.slug'),
      price: jsonValue('l.price'),
      cover: jsonObject(
        {
          url: jsonText('cover.url'),
          width: jsonValue('cover.width'),
          height: jsonValue('cover.height'),
          thumbhash: jsonText('cover.thumbhash'),
        },
        'cover.url IS NOT NULL',
      ),
    }),
    other: jsonObject(
      {
        id: jsonWord('other.id'),
        name: jsonText('other.display_name'),
        avatar_url: jsonText('other.avatar_url'),
        usc_verified: jsonValue('other.usc_verified'),
      },
      'other.id IS NOT NULL',
    ),
    last_message: jsonObject(
      {
        seq: jsonValue('m.seq'),
        sender_id: jsonWord('m.sender_id'),
        message_text: jsonText(`left(m.message_text, ${lastMessageLength})`),
        created_at: jsonInstant('m.created_at'),
      },
      'm.seq IS NOT NULL',
    ),
    unread_count: jsonValue('c.last_seq - c.read_seq'),
  } satisfies Record<keyof Conversation, string>),
);

const joins = fragment`
  LEFT JOIN listings l ON l.id = c.listing_id AND l.status = 'published'
  LEFT JOIN private.objects cover ON cover.url = l.photos[1]
  LEFT JOIN users other ON other.id = c.other_id
  LEFT JOIN messages m ON m.conversation_id = c.id AND m.seq = c.last_seq`;

// Until its first message a conversation is the buyer's alone: opening it must not show the seller anything.
const asBuyer = fragment`SELECT *, seller_id AS other_id, buyer_read_seq AS read_seq FROM conversations WHERE buyer_id`;
const asSeller = fragment`SELECT *, buyer_id AS other_id, seller_read_seq AS read_seq FROM conversations
  WHERE last_seq > 0 AND seller_id`;
const latestFirst = fragment`ORDER BY updated_at DESC, id`;
/** One more than a page. A constant: how a page is planned must not depend on how many there are. */
const bounded = trusted(`LIMIT ${inboxPageSize + 1}`);
const fromTheTop = fragment``;

const after = ({ updatedAt, id }: InboxPosition): Fragment => {
  // By way of text: a parameter of the type timestamptz would pass through a Date and lose its microseconds.
  const instant = fragment`${updatedAt}::text::timestamptz`;
  return fragment`AND updated_at <= ${instant} AND (updated_at < ${instant} OR id > ${id}::uuid)`;
};

/** Returns a page of a person's conversations, the latest first; reads no more rows than the page has. */
export const listInbox = async (
  sql: Queryable,
  userId: string,
  position: InboxPosition | undefined,
): Promise<InboxPage> => {
  const further = position ? after(position) : fromTheTop;
  const rows = await sql<{ conversation: JsonText<Conversation>; id: string; updated_key: string }[]>`
    SELECT ${conversationJson} AS conversation, c.id,
      to_char(c.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS updated_key
    FROM (
      SELECT * FROM (
        (${asBuyer} = ${userId} ${further} ${latestFirst} ${bounded})
        UNION ALL
        (${asSeller} = ${userId} ${further} ${latestFirst} ${bounded})
      ) AS mine ${latestFirst} ${bounded}
    ) c ${joins} ORDER BY c.updated_at DESC, c.id`;
  const shown = rows.slice(0, inboxPageSize);
  const last = shown.at(-1);
  return {
    conversations: shown.map(({ conversation }) => conversation),
    end: rows.length > shown.length && last ? { updatedAt: last.updated_key, id: last.id } : undefined,
  };
};

/** Returns one of a person's conversations. */
export const findConversation = async (
  sql: Queryable,
  { id, userId }: { id: string; userId: string },
): Promise<JsonText<Conversation> | undefined> => {
  const [row] = await sql<{ conversation: JsonText<Conversation> }[]>`
    SELECT ${conversationJson} AS conversation FROM (
      ${asBuyer} = ${userId} AND id = ${id} UNION ALL ${asSeller} = ${userId} AND id = ${id}
    ) c ${joins}`;
  return row?.conversation;
};

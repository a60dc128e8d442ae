import { z } from 'zod';
import { type Conversation, inboxPageSize, lastMessagePreviewLength } from '#contract/conversations.ts';
import { fieldProblem } from '#contract/errors.ts';
import { photoFields } from '#server/photos/sql.ts';
import { type JsonText, jsonArray } from '#server/platform/json/json-text.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { type Fragment, fragment, runStatement, trusted } from '#server/platform/postgres/sql-fragments.ts';
import {
  joinedElementsToArray,
  json,
  jsonSql,
  nullable,
  object,
  objectIf,
  separatorSql,
} from '#server/platform/postgres/sql-json.ts';

// PostgreSQL knows no year 0.
const schema = z.tuple([z.iso.datetime().refine((instant) => !instant.startsWith('0000')), z.uuid()]);

/** Returns the opaque text that a client sends to read on after a position. */
export const writeInboxCursor = ({ updatedAt, id }: InboxPosition): string =>
  Buffer.from(JSON.stringify([updatedAt, id])).toString('base64url');

/** Returns the position of a cursor; throws a problem for a text that is none. */
export const readInboxCursor = (cursor: string): InboxPosition => {
  try {
    const [updatedAt, id] = schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    return { updatedAt, id };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
  }
  throw fieldProblem({ cursor: 'This place in the list cannot be found' });
};

/** Where a page of an inbox ended. */
export interface InboxPosition {
  /** ISO 8601 in UTC, to the microsecond. */
  updatedAt: string;
  id: string;
}

export interface InboxPage {
  conversations: JsonText<Conversation[]>;
  /** Where the page ended, if there is more. */
  end: InboxPosition | undefined;
}

// A draft is its owner's alone, so an unpublished listing is joined no more than a deleted one. As seq is dense and
// sending marks all before as read, what is unread is the distance between two numbers.
const conversationJson = jsonSql(
  object({
    id: json.word('c.id'),
    listing_id: nullable.word('c.listing_id'),
    buyer_id: nullable.word('c.buyer_id'),
    seller_id: nullable.word('c.seller_id'),
    updated_at: json.instant('c.updated_at'),
    listing: object({
      title: json.text('coalesce(l.title, c.listing_title)'),
      available: json.boolean('l.id IS NOT NULL'),
      slug: nullable.word('l.slug'),
      price: nullable.number('l.price'),
      cover: objectIf('cover.url IS NOT NULL', photoFields('cover')),
    }),
    other: objectIf('other.id IS NOT NULL', {
      id: json.word('other.id'),
      name: json.text('other.display_name'),
      avatar_url: nullable.text('other.avatar_url'),
      usc_verified: json.boolean('other.usc_verified'),
    }),
    last_message: objectIf('m.seq IS NOT NULL', {
      seq: json.number('m.seq'),
      sender_id: nullable.word('m.sender_id'),
      message_text: json.text(`left(m.message_text, ${lastMessagePreviewLength})`),
      created_at: json.instant('m.created_at'),
    }),
    unread_count: json.number('c.last_seq - c.read_seq'),
  } satisfies Record<keyof Conversation, unknown>),
);

const joins = fragment`
  LEFT JOIN listings l ON l.id = c.listing_id AND l.status = 'published'
  LEFT JOIN private.objects cover ON cover.url = l.photos[1]
  LEFT JOIN users other ON other.id = c.other_id
  LEFT JOIN messages m ON m.conversation_id = c.id AND m.seq = c.last_seq`;

// Until its first message a conversation is the buyer's alone: opening it must not show the seller anything.
const columns = fragment`id, listing_id, listing_title, buyer_id, seller_id, updated_at, last_seq`;
const asBuyer = fragment`
  SELECT ${columns}, seller_id AS other_id, buyer_read_seq AS read_seq FROM conversations WHERE buyer_id`;
const asSeller = fragment`
  SELECT ${columns}, buyer_id AS other_id, seller_read_seq AS read_seq FROM conversations
  WHERE last_seq > 0 AND seller_id`;
const latestFirst = fragment`ORDER BY updated_at DESC, id`;
/** One more than a page. A constant: how a page is planned must not depend on how many there are. */
const bounded = trusted(`LIMIT ${inboxPageSize + 1}`);
const fromTheTop = fragment``;
const inOrder = fragment`ORDER BY c.updated_at DESC, c.id`;

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
  const [row] = await runStatement<InboxPosition & { conversations: string | null; found: number }>(
    sql,
    fragment`
    SELECT string_agg(${conversationJson}, ${separatorSql} ${inOrder}) AS conversations, count(*) AS found,
      to_char((array_agg(c.updated_at ${inOrder}))[${inboxPageSize}] AT TIME ZONE 'UTC',
        'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "updatedAt",
      (array_agg(c.id ${inOrder}))[${inboxPageSize}] AS id
    FROM (
      SELECT * FROM (
        (${asBuyer} = ${userId} ${further} ${latestFirst} ${bounded})
        UNION ALL
        (${asSeller} = ${userId} ${further} ${latestFirst} ${bounded})
      ) AS mine ${latestFirst} ${bounded}
    ) c ${joins}`,
  );
  if (!row) return { conversations: jsonArray([]), end: undefined };
  const { conversations, found, ...end } = row;
  const more = found > inboxPageSize;
  return { conversations: joinedElementsToArray(conversations, more), end: more ? end : undefined };
};

/** Returns one of a person's conversations. */
export const findConversation = async (
  sql: Queryable,
  { id, userId }: { id: string; userId: string },
): Promise<JsonText<Conversation> | undefined> => {
  const [row] = await runStatement<{ conversation: JsonText<Conversation> }>(
    sql,
    fragment`
    SELECT ${conversationJson} AS conversation FROM (
      ${asBuyer} = ${userId} AND id = ${id} UNION ALL ${asSeller} = ${userId} AND id = ${id}
    ) c ${joins}`,
  );
  return row?.conversation;
};

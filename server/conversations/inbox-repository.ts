import { z } from 'zod';
import { type Conversation, inboxPageSize, lastMessagePreviewLength } from '#contract/conversations.ts';
import { fieldProblem } from '#contract/errors.ts';
import { photoFields } from '#server/photos/sql.ts';
import { type JsonText, jsonArray } from '#server/platform/json/json-text.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import {
  type Fragment,
  fragment,
  runStatement,
  trustedSql,
} from '#server/platform/postgres/sql-fragments.ts';
import {
  joinedElementsToArray,
  json,
  jsonSql,
  nullable,
  object,
  objectIf,
  separatorSql,
} from '#server/platform/postgres/sql-json.ts';

// PostgreSQL rejects timestamps in year 0.
const schema = z.tuple([z.iso.datetime().refine((instant) => !instant.startsWith('0000')), z.uuid()]);

/** Encodes a position as an opaque cursor, which the client sends to request the next page. */
export const encodeInboxCursor = ({ updatedAt, id }: InboxPosition): string =>
  Buffer.from(JSON.stringify([updatedAt, id])).toString('base64url');

/** Decodes a cursor; throws validation_failed for any other text. */
export const decodeInboxCursor = (cursor: string): InboxPosition => {
  try {
    const [updatedAt, id] = schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    return { updatedAt, id };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
  }
  throw fieldProblem({ cursor: 'This place in the list cannot be found' });
};

/** Position of the last conversation of an inbox page. */
export interface InboxPosition {
  /** ISO 8601 in UTC, to the microsecond. */
  updatedAt: string;
  id: string;
}

export interface InboxPage {
  conversations: JsonText<Conversation[]>;
  /** Position of the last conversation; undefined when no more conversations follow. */
  end: InboxPosition | undefined;
}

// Only its owner may see a draft, so an unpublished listing is treated like a deleted one. The number of unread
// messages is the difference between two seq numbers, because seq has no gaps and sending a message marks all earlier
// ones as read.
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

// Until its first message, only the buyer sees a conversation: opening it must not show the seller anything.
const columns = fragment`id, listing_id, listing_title, buyer_id, seller_id, updated_at, last_seq`;
const asBuyer = fragment`
  SELECT ${columns}, seller_id AS other_id, buyer_read_seq AS read_seq FROM conversations WHERE buyer_id`;
const asSeller = fragment`
  SELECT ${columns}, buyer_id AS other_id, seller_read_seq AS read_seq FROM conversations
  WHERE last_seq > 0 AND seller_id`;
const latestFirst = fragment`ORDER BY updated_at DESC, id`;
/** One row more than a page. The limit is a constant, so that the plan does not depend on it as a parameter. */
const pageLimit = trustedSql(`LIMIT ${inboxPageSize + 1}`);
const noCondition = fragment``;
const orderBy = fragment`ORDER BY c.updated_at DESC, c.id`;

const isAfter = ({ updatedAt, id }: InboxPosition): Fragment => {
  // The instant is passed as text, because the driver would convert a timestamptz parameter to a Date and lose the
  // microseconds.
  const instant = fragment`${updatedAt}::text::timestamptz`;
  return fragment`AND updated_at <= ${instant} AND (updated_at < ${instant} OR id > ${id}::uuid)`;
};

/**
 * Returns a page of a person's conversations, the most recently active first, without reading more rows than the page
 * has.
 */
export const listInbox = async (
  sql: Queryable,
  userId: string,
  position: InboxPosition | undefined,
): Promise<InboxPage> => {
  const afterCondition = position ? isAfter(position) : noCondition;
  const [row] = await runStatement<InboxPosition & { conversations: string | null; found: number }>(
    sql,
    fragment`
    SELECT string_agg(${conversationJson}, ${separatorSql} ${orderBy}) AS conversations, count(*) AS found,
      to_char((array_agg(c.updated_at ${orderBy}))[${inboxPageSize}] AT TIME ZONE 'UTC',
        'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "updatedAt",
      (array_agg(c.id ${orderBy}))[${inboxPageSize}] AS id
    FROM (
      SELECT * FROM (
        (${asBuyer} = ${userId} ${afterCondition} ${latestFirst} ${pageLimit})
        UNION ALL
        (${asSeller} = ${userId} ${afterCondition} ${latestFirst} ${pageLimit})
      ) AS mine ${latestFirst} ${pageLimit}
    ) c ${joins}`,
  );
  if (!row) return { conversations: jsonArray([]), end: undefined };
  const { conversations, found, ...end } = row;
  const more = found > inboxPageSize;
  return { conversations: joinedElementsToArray(conversations, more), end: more ? end : undefined };
};

/** Returns a conversation of which the person is a party; undefined for everyone else. */
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

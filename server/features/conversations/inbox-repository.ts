import {
  type Conversation,
  inboxPageSize,
  lastMessagePreviewLength,
  newAccountDays,
} from '#contract/conversations.ts';
import { saleConfirmationDays, soldListingPageDays } from '#contract/selling.ts';
import { buildPhotoJsonFields } from '#server/features/photos/sql.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import { buildJsonArray, type JsonText } from '#server/platform/json/json-text.ts';
import { type ListPosition, toCursorTimeSql } from '#server/platform/list-position.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import {
  type Fragment,
  fragment,
  runStatement,
  trustedSql,
} from '#server/platform/postgres/sql-fragments.ts';
import {
  columnJson,
  elementSeparatorSql,
  nullableColumnJson,
  toConditionalObjectJsonPieces,
  toJsonTextSql,
  toObjectJsonPieces,
  wrapJoinedElementsInArray,
} from '#server/platform/postgres/sql-json.ts';
import { toMayWriteSql } from './contact-sql.ts';
import { toSaleInDealCondition } from './sql.ts';
import { toUnreadCountSql } from './unread-count.ts';

export interface InboxPage {
  conversations: JsonText<Conversation[]>;
  /** Position of the last conversation on this page, or undefined when no more conversations follow. */
  end: ListPosition | undefined;
}

// The statement joins only listings that have a public page, because only the owner of a draft may see it; a draft is
// therefore reported as unavailable, like a deleted listing.
const listingIdSql = `(CASE WHEN l.id IS NOT NULL
  OR NOT EXISTS (SELECT FROM listings d WHERE d.id = c.listing_id AND d.deleted_at IS NOT NULL) THEN c.listing_id END)`;
// A sold listing keeps its row, and thus its title, after its page has been removed.
const titleSql = `coalesce(l.title,
  (SELECT sold.title FROM listings sold WHERE sold.id = c.listing_id AND sold.status = 'sold'), c.listing_title)`;
const outcomeSql = `CASE WHEN l.status = 'sold' THEN
  CASE l.category WHEN 'free' THEN 'given_away' WHEN 'rentals' THEN 'rented' ELSE 'sold' END END`;
const conversationJsonSql = toJsonTextSql(
  toObjectJsonPieces({
    id: columnJson.word('c.id'),
    listing_id: nullableColumnJson.word(listingIdSql),
    buyer_id: nullableColumnJson.word('c.buyer_id'),
    seller_id: nullableColumnJson.word('c.seller_id'),
    updated_at: columnJson.instant('c.updated_at'),
    listing: toObjectJsonPieces({
      title: columnJson.text(titleSql),
      available: columnJson.boolean(`l.id IS NOT NULL AND l.status = 'published'`),
      outcome: nullableColumnJson.word(outcomeSql),
      is_sale_asked: columnJson.boolean('coalesce(l.is_sale_asked, false)'),
      slug: nullableColumnJson.word('l.slug'),
      price: nullableColumnJson.number('l.price'),
      rental_period: nullableColumnJson.word(`CASE WHEN l.category = 'rentals' THEN l.rental_period END`),
      cover: toConditionalObjectJsonPieces('cover.url IS NOT NULL', buildPhotoJsonFields('cover')),
    }),
    other: toConditionalObjectJsonPieces('other.id IS NOT NULL', {
      id: columnJson.word('other.id'),
      name: columnJson.text('other.display_name'),
      avatar_url: nullableColumnJson.text('other.avatar_url'),
      usc_verified: columnJson.boolean('other.usc_verified'),
      rating: nullableColumnJson.number('other.rating'),
      review_count: columnJson.number('other.review_count'),
      is_new_account: columnJson.boolean('other.is_new_account'),
    }),
    last_message: toConditionalObjectJsonPieces('m.seq IS NOT NULL', {
      seq: columnJson.number('m.seq'),
      sender_id: nullableColumnJson.word('m.sender_id'),
      message_text: columnJson.text(`left(m.message_text, ${lastMessagePreviewLength})`),
      created_at: columnJson.instant('m.created_at'),
      kind: columnJson.word('m.kind'),
      data: nullableColumnJson.json('m.data'),
    } satisfies Record<keyof NonNullable<Conversation['last_message']>, unknown>),
    unread_count: columnJson.number(
      toUnreadCountSql({
        id: 'c.id',
        lastSeq: 'c.last_seq',
        readSeq: 'c.read_seq',
        actedSeq: 'c.acted_seq',
        userId: 'c.own_id',
      }),
    ),
    may_write: columnJson.boolean(toMayWriteSql({ id: 'c.id', one: 'c.own_id', other: 'c.other_id' })),
  } satisfies Record<keyof Conversation, unknown>),
);

/** The person who reads conversations, and the time of reading. */
interface InboxReader {
  userId: string;
  now: Date;
}

const toConversationJoins = ({ userId, now }: InboxReader): Fragment => fragment`
  LEFT JOIN (
    SELECT *, sold_to = ${userId} AND sale_confirmed_at IS NULL
      AND sold_at > ${addSeconds(now, -saleConfirmationDays * dayInSeconds)}
      AND NOT ${toSaleInDealCondition({ listingId: trustedSql('listings.id'), buyerId: trustedSql('listings.sold_to') })}
      AS is_sale_asked
    FROM listings
  ) l ON l.id = c.listing_id AND (l.status = 'published'
    OR (l.status = 'sold' AND l.sold_at > ${addSeconds(now, -soldListingPageDays * dayInSeconds)}))
  LEFT JOIN private.objects cover ON cover.url = l.photos[1]
  LEFT JOIN (SELECT *, created_at > ${addSeconds(now, -newAccountDays * dayInSeconds)} AS is_new_account FROM users) other
    ON other.id = c.other_id
  LEFT JOIN messages m ON m.conversation_id = c.id AND m.seq = c.last_seq`;

// The seller sees a conversation only after its first message (`last_seq > 0`): when a buyer merely
// opens a conversation, the seller must not notice.
const conversationColumns = fragment`id, listing_id, listing_title, buyer_id, seller_id, updated_at, last_seq`;
const buyerConversationsSql = fragment`
  SELECT ${conversationColumns}, buyer_id AS own_id, seller_id AS other_id, buyer_read_seq AS read_seq,
    buyer_acted_seq AS acted_seq
  FROM conversations WHERE buyer_id`;
const sellerConversationsSql = fragment`
  SELECT ${conversationColumns}, seller_id AS own_id, buyer_id AS other_id, seller_read_seq AS read_seq,
    seller_acted_seq AS acted_seq
  FROM conversations WHERE last_seq > 0 AND seller_id`;
const latestFirstOrderSql = fragment`ORDER BY updated_at DESC, id`;
/**
 * Reads one row more than a page has, to detect whether more conversations follow. The limit is a
 * literal and not a parameter, so that the query planner knows it.
 */
const pageLimitClause = trustedSql(`LIMIT ${inboxPageSize + 1}`);
const noCondition = fragment``;
const orderByClause = fragment`ORDER BY c.updated_at DESC, c.id`;

const toAfterCursorCondition = ({ time, id }: ListPosition): Fragment => {
  // The time is passed as text, because the driver would convert a timestamptz parameter to a Date and lose the
  // microseconds.
  const instant = fragment`${time}::text::timestamptz`;
  return fragment`AND updated_at <= ${instant} AND (updated_at < ${instant} OR id > ${id}::uuid)`;
};

/**
 * Returns a page of a person's conversations, most recently active first. The two subqueries read at most a page and
 * one more row each, however many conversations the person has.
 */
export const listInbox = async (
  sql: Queryable,
  reader: InboxReader,
  position: ListPosition | undefined,
): Promise<InboxPage> => {
  const { userId } = reader;
  const afterCondition = position ? toAfterCursorCondition(position) : noCondition;
  const [row] = await runStatement<ListPosition & { conversations: string | null; found: number }>(
    sql,
    fragment`
    SELECT string_agg(${conversationJsonSql}, ${elementSeparatorSql} ${orderByClause}) AS conversations, count(*) AS found,
      ${toCursorTimeSql(fragment`(array_agg(c.updated_at ${orderByClause}))[${inboxPageSize}]`)} AS time,
      (array_agg(c.id ${orderByClause}))[${inboxPageSize}] AS id
    FROM (
      SELECT * FROM (
        (${buyerConversationsSql} = ${userId} ${afterCondition} ${latestFirstOrderSql} ${pageLimitClause})
        UNION ALL
        (${sellerConversationsSql} = ${userId} ${afterCondition} ${latestFirstOrderSql} ${pageLimitClause})
      ) AS mine ${latestFirstOrderSql} ${pageLimitClause}
    ) c ${toConversationJoins(reader)}`,
  );
  if (!row) return { conversations: buildJsonArray([]), end: undefined };
  const { conversations, found, ...end } = row;
  const more = found > inboxPageSize;
  return { conversations: wrapJoinedElementsInArray(conversations, more), end: more ? end : undefined };
};

/** Returns a conversation of which the person is a party, or undefined for everyone else. */
export const findConversation = async (
  sql: Queryable,
  { id, userId, now }: InboxReader & { id: string },
): Promise<JsonText<Conversation> | undefined> => {
  const [row] = await runStatement<{ conversation: JsonText<Conversation> }>(
    sql,
    fragment`
    SELECT ${conversationJsonSql} AS conversation FROM (
      ${buyerConversationsSql} = ${userId} AND id = ${id} UNION ALL ${sellerConversationsSql} = ${userId} AND id = ${id}
    ) c ${toConversationJoins({ userId, now })}`,
  );
  return row?.conversation;
};

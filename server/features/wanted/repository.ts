import { parseIsbn } from '#contract/isbn.ts';
import type { PublicUser } from '#contract/profiles.ts';
import { foldText } from '#contract/search-text.ts';
import { listNewestSearchableTexts, toContainsCondition } from '#server/features/listings/sql.ts';
import { chooseTextKey } from '#server/features/saved-searches/sql.ts';
import { type ListPosition, toCursorTimeSql } from '#server/platform/list-position.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import type { JoinedColumns } from '#server/platform/postgres/joined-row.ts';
import {
  columnList,
  type Fragment,
  fragment,
  toAssignments,
} from '#server/platform/postgres/sql-fragments.ts';
import type { Tables } from '#server/platform/postgres/tables.ts';
import {
  notBlockedCondition,
  toMemberCondition,
  toOpenCondition,
  toShownCondition,
  type WantedContext,
} from './sql.ts';
import { listWantedWords } from './words.ts';

export type WantedPostRow = Pick<
  Tables['wanted_posts'],
  | 'id'
  | 'user_id'
  | 'title'
  | 'category'
  | 'max_price'
  | 'until'
  | 'created_at'
  | 'updated_at'
  | 'closed_at'
  | 'hidden_at'
  | 'hidden_reason'
>;

const rowColumns = columnList([
  'w.id',
  'w.user_id',
  'w.title',
  'w.category',
  'w.max_price',
  'w.until',
  'w.created_at',
  'w.updated_at',
  'w.closed_at',
  'w.hidden_at',
  'w.hidden_reason',
]);

export interface WantedContent {
  title: string;
  category: string;
  maxPrice: number | null;
  until: string;
}

/** Returns the columns of a wanted post, with those by which a listing finds the posts that it matches. */
const toColumns = async (tx: Queryable, { title, category, maxPrice, until }: WantedContent) => {
  const words = listWantedWords(title);
  const isbns = words.map((word) => parseIsbn(word) ?? null);
  const isbn = isbns.find((it) => it !== null);
  // A listing may contain the ISBN as it was typed, so the key is a part of this.
  const typed = isbn && words[isbns.indexOf(isbn)];
  const text = typed ?? words.map((word) => foldText(word) || word).join(' ');
  return {
    title,
    category,
    max_price: maxPrice,
    words,
    isbns,
    text_key: chooseTextKey(text, await listNewestSearchableTexts(tx), isbn),
    until,
  };
};

/** Counts a person's open wanted posts, also those that others do not see while the person is away. */
export const countOpenPosts = async (
  tx: Queryable,
  { userId, exceptId, today }: { userId: string; exceptId: string | null; today: string },
): Promise<number> => {
  const [row] = await tx<{ count: number }[]>`
    SELECT count(*)::int AS count FROM wanted_posts
    WHERE user_id = ${userId} AND id IS DISTINCT FROM ${exceptId}::uuid AND closed_at IS NULL AND hidden_at IS NULL
      AND until >= ${today}::date`;
  return row?.count ?? 0;
};

export const findPostByClientId = async (
  tx: Queryable,
  userId: string,
  clientId: string,
): Promise<WantedPostRow | undefined> => {
  const [row] = await tx<WantedPostRow[]>`
    SELECT ${rowColumns} FROM wanted_posts w WHERE user_id = ${userId} AND client_id = ${clientId}`;
  return row;
};

/** Finds a person's wanted post and locks it until the transaction ends. */
export const findAndLockOwnPost = async (
  tx: Queryable,
  userId: string,
  id: string,
): Promise<WantedPostRow | undefined> => {
  const [row] = await tx<WantedPostRow[]>`
    SELECT ${rowColumns} FROM wanted_posts w WHERE id = ${id} AND user_id = ${userId} FOR NO KEY UPDATE`;
  return row;
};

export const insertPost = async (
  tx: Queryable,
  content: WantedContent,
  { userId, clientId, now }: { userId: string; clientId: string; now: Date },
): Promise<WantedPostRow> => {
  const columns = await toColumns(tx, content);
  const [row] = await tx<WantedPostRow[]>`
    INSERT INTO wanted_posts AS w (user_id, client_id, title, category, max_price, words, isbns, text_key, until, created_at, updated_at)
    VALUES (${userId}, ${clientId}, ${columns.title}, ${columns.category}, ${columns.max_price}, ${columns.words},
      ${columns.isbns}::text[], ${columns.text_key}, ${columns.until}, ${now}, ${now})
    RETURNING ${rowColumns}`;
  if (!row) throw new Error('The wanted post was not stored');
  return row;
};

/** Changes a wanted post and opens it. One that had ended counts as new, and is first in lists again. */
export const updatePost = async (
  tx: Queryable,
  id: string,
  content: WantedContent,
  { now, wasOpen }: { now: Date; wasOpen: boolean },
): Promise<WantedPostRow> => {
  const columns = await toColumns(tx, content);
  const [row] = await tx<WantedPostRow[]>`
    UPDATE wanted_posts w SET ${toAssignments(columns)}, closed_at = NULL, updated_at = ${now},
      created_at = CASE WHEN ${wasOpen} THEN created_at ELSE ${now} END
    WHERE id = ${id} RETURNING ${rowColumns}`;
  if (!row) throw new Error('The wanted post was not stored');
  return row;
};

export const closePost = async (
  sql: Queryable,
  { userId, id, now }: { userId: string; id: string; now: Date },
): Promise<WantedPostRow | undefined> => {
  const [row] = await sql<WantedPostRow[]>`
    UPDATE wanted_posts w SET closed_at = coalesce(closed_at, ${now}) WHERE id = ${id} AND user_id = ${userId}
    RETURNING ${rowColumns}`;
  return row;
};

/** Lists a person's wanted posts that have not been removed, open ones first, then the latest. */
export const listOwnPosts = (
  sql: Queryable,
  { userId, today, limit }: { userId: string; today: string; limit: number },
): Promise<WantedPostRow[]> => sql<WantedPostRow[]>`
  SELECT ${rowColumns} FROM wanted_posts w WHERE user_id = ${userId}
  ORDER BY closed_at IS NULL AND hidden_at IS NULL AND until >= ${today}::date DESC, created_at DESC, id DESC
  LIMIT ${limit}`;

export type ShownPostRow = Pick<
  WantedPostRow,
  'id' | 'title' | 'category' | 'max_price' | 'until' | 'created_at'
> &
  JoinedColumns<'author', PublicUser> & { position: string };

/**
 * Returns SQL for the open wanted posts, the newest first. OFFSET 0 makes PostgreSQL find them by their last day, then sort
 * them, then compare their texts until a page is full. By the index of their order it would also read all posts that have
 * ended, if few contain the text.
 */
const selectOpenPosts = (context: WantedContext): Fragment => fragment`(
  SELECT * FROM (SELECT w.* FROM wanted_posts w WHERE ${toOpenCondition(context)} OFFSET 0) AS open
  ORDER BY created_at DESC, id DESC OFFSET 0)`;

/** Lists the open wanted posts of a category and with a text in their titles, the newest first. */
export const listOpenPosts = (
  sql: Queryable,
  {
    viewerId,
    category,
    text,
    after,
    limit,
    ...context
  }: WantedContext & {
    viewerId: string | null;
    category: string | undefined;
    text: string | undefined;
    after: ListPosition | undefined;
    limit: number;
  },
): Promise<ShownPostRow[]> => sql<ShownPostRow[]>`
  SELECT w.id, w.title, w.category, w.max_price, w.until, w.created_at, u.id AS author_id, u.display_name AS author_name,
    u.avatar_url AS author_avatar_url, u.usc_verified AS author_usc_verified,
    ${toCursorTimeSql(fragment`w.created_at`)} AS position
  FROM ${text === undefined ? fragment`wanted_posts` : selectOpenPosts(context)} w
    JOIN users u ON u.id = w.user_id, (SELECT ${viewerId}::uuid AS id) viewer
  WHERE ${toShownCondition(context)} AND ${notBlockedCondition}
    ${category === undefined ? fragment`` : fragment`AND w.category = ${category}`}
    ${text === undefined ? fragment`` : fragment`AND ${toContainsCondition(fragment`private.fold(w.title)`, text)}`}
    ${after ? fragment`AND (w.created_at, w.id) < (${after.time}::text::timestamptz, ${after.id}::uuid)` : fragment``}
  ORDER BY w.created_at DESC, w.id DESC LIMIT ${limit}`;

/** Finds an open wanted post, whose author may be suspended: the answer is then refused as if there were a block. */
export const findOpenPost = async (
  sql: Queryable,
  id: string,
  context: WantedContext,
): Promise<WantedPostRow | undefined> => {
  const [row] = await sql<WantedPostRow[]>`
    SELECT ${rowColumns} FROM wanted_posts w WHERE w.id = ${id} AND ${toOpenCondition(context)}
      AND ${toMemberCondition(context)}`;
  return row;
};

/** Hides a wanted post from everybody but its author, who sees the reason. Hiding it again changes the reason. */
export const takeDownWantedPost = async (
  tx: Queryable,
  { id, reason, now }: { id: string; reason: string; now: Date },
): Promise<void> => {
  await tx`
    UPDATE wanted_posts SET hidden_at = coalesce(hidden_at, ${now}), hidden_reason = ${reason} WHERE id = ${id}`;
};

/** Reverses `takeDownWantedPost`. */
export const restoreWantedPost = async (tx: Queryable, id: string): Promise<void> => {
  await tx`UPDATE wanted_posts SET hidden_at = NULL, hidden_reason = NULL WHERE id = ${id}`;
};

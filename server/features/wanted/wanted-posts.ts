import { toCampusDay } from '#contract/campus.ts';
import { createFieldProblem, createProblem } from '#contract/errors.ts';
import { maxOpenWantedPosts, wantedPageSize } from '#contract/paging.ts';
import { findGuidelineViolations, formatUnwantedMessage } from '#contract/prohibited-items.ts';
import type {
  NewWantedPost,
  OwnWantedPost,
  WantedPage,
  WantedPostBody,
  WantedQuery,
} from '#contract/wanted.ts';
import type { App } from '#server/app.ts';
import { assertMayPublish } from '#server/features/listings/public.ts';
import { toSearchedText } from '#server/features/listings/sql.ts';
import { decodeListCursor, takePage } from '#server/platform/list-position.ts';
import { type Queryable, runInTransaction } from '#server/platform/postgres/database.ts';
import * as repository from './repository.ts';
import { getWantedContext } from './sql.ts';

/** Maximum number of wanted posts that a person's list shows. */
export const maxOwnWantedPosts = 100;

const getState = (row: repository.WantedPostRow, today: string): OwnWantedPost['state'] => {
  if (row.hidden_at) return 'taken_down';
  return row.closed_at === null && row.until >= today ? 'open' : 'ended';
};

const presentOwnPost = (row: repository.WantedPostRow, today: string): OwnWantedPost => ({
  id: row.id,
  title: row.title,
  category: row.category as OwnWantedPost['category'],
  max_price: row.max_price,
  until: row.until,
  created_at: row.created_at.toISOString(),
  state: getState(row, today),
  hidden_reason: row.hidden_reason,
});

const getToday = ({ clock, config: { campus } }: App): string => toCampusDay(campus, clock.now());

/**
 * Throws a field error if the title clearly names something prohibited. Unlike a listing, a wanted post is not held for
 * review, because it is one line that is written again in a moment.
 */
const assertWording = ({ title, category, maxPrice }: WantedPostBody): void => {
  const texts = { title, description: null, location: null, contact_email: null };
  const found = findGuidelineViolations({ ...texts, category, price: maxPrice }).find(
    ({ isClear }) => isClear,
  );
  if (found) throw createFieldProblem({ title: formatUnwantedMessage(found.guideline) });
};

/** Returns a page of the open wanted posts, the newest first. */
export const listWantedPosts = async (
  app: App,
  viewerId: string | undefined,
  { category, q, cursor }: WantedQuery,
): Promise<WantedPage> => {
  const rows = await repository.listOpenPosts(app.sql, {
    viewerId: viewerId ?? null,
    category,
    text: toSearchedText(q)?.text,
    after: decodeListCursor(cursor),
    limit: wantedPageSize + 1,
    ...getWantedContext(app),
  });
  const { page, next_cursor } = takePage(rows, wantedPageSize, ({ position }) => position);
  return {
    items: page.map((row) => ({
      id: row.id,
      title: row.title,
      category: row.category as OwnWantedPost['category'],
      max_price: row.max_price,
      until: row.until,
      created_at: row.created_at.toISOString(),
      user: {
        id: row.author_id,
        name: row.author_name,
        avatar_url: row.author_avatar_url,
        usc_verified: row.author_usc_verified,
      },
    })),
    next_cursor,
  };
};

export const listOwnWantedPosts = async (app: App, userId: string): Promise<OwnWantedPost[]> => {
  const today = getToday(app);
  const rows = await repository.listOwnPosts(app.sql, { userId, today, limit: maxOwnWantedPosts });
  return rows.map((row) => presentOwnPost(row, today));
};

/**
 * Locks an account until the transaction ends, so that only one transaction at a time opens wanted posts of it. Throws when
 * the person may not take part.
 */
const lockAccount = async (app: App, tx: Queryable, userId: string): Promise<void> => {
  await assertMayPublish(app, tx, userId);
  await tx`SELECT FROM users WHERE id = ${userId} FOR NO KEY UPDATE`;
};

/** Creates a wanted post, or returns the one with the same client id. */
export const createWantedPost = (
  app: App,
  userId: string,
  { clientId, ...content }: NewWantedPost,
): Promise<OwnWantedPost> => {
  assertWording(content);
  const today = getToday(app);
  return runInTransaction(app.sql, async (tx) => {
    await lockAccount(app, tx, userId);
    const known = await repository.findPostByClientId(tx, userId, clientId);
    if (known) return presentOwnPost(known, today);
    const open = await repository.countOpenPosts(tx, { userId, exceptId: null, today });
    if (open >= maxOpenWantedPosts) throw createProblem('wanted_posts_full');
    const now = app.clock.now();
    return presentOwnPost(await repository.insertPost(tx, content, { userId, clientId, now }), today);
  });
};

/** Changes a person's wanted post, and opens it again if it had ended. */
export const changeWantedPost = (
  app: App,
  userId: string,
  id: string,
  content: WantedPostBody,
): Promise<OwnWantedPost> => {
  assertWording(content);
  const today = getToday(app);
  return runInTransaction(app.sql, async (tx) => {
    await lockAccount(app, tx, userId);
    const post = await repository.findAndLockOwnPost(tx, userId, id);
    if (!post) throw createProblem('wanted_post_not_found');
    if (post.hidden_at) throw createProblem('wanted_post_taken_down');
    const open = await repository.countOpenPosts(tx, { userId, exceptId: id, today });
    if (open >= maxOpenWantedPosts) throw createProblem('wanted_posts_full');
    const wasOpen = getState(post, today) === 'open';
    return presentOwnPost(
      await repository.updatePost(tx, id, content, { now: app.clock.now(), wasOpen }),
      today,
    );
  });
};

/** Closes a person's wanted post. */
export const closeWantedPost = async (app: App, userId: string, id: string): Promise<OwnWantedPost> => {
  const row = await repository.closePost(app.sql, { userId, id, now: app.clock.now() });
  if (!row) throw createProblem('wanted_post_not_found');
  return presentOwnPost(row, getToday(app));
};

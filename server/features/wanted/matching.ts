import { toCampusDay } from '#contract/campus.ts';
import { createProblem } from '#contract/errors.ts';
import {
  type AnsweringListing,
  maxListingsToAnswerWith,
  type WantedAnswer,
  type WantedMatchBody,
} from '#contract/wanted.ts';
import type { App } from '#server/app.ts';
import { findOrCreateConversation, sendMessage } from '#server/features/conversations/public.ts';
import { notify } from '#server/features/notifications/public.ts';
import { presentCover } from '#server/features/photos/sql.ts';
import { type Queryable, runInTransaction } from '#server/platform/postgres/database.ts';
import * as repository from './matching-repository.ts';
import { findOpenPost } from './repository.ts';
import { getWantedContext } from './sql.ts';

/** Counts the people who look for a listing that a person is writing. */
export const countPeopleForDraft = (app: App, userId: string, draft: WantedMatchBody): Promise<number> =>
  repository.countPeopleForDraft(app.sql, { userId, draft, ...getWantedContext(app) });

const getListing = async (tx: Queryable, userId: string, id: string) => {
  const listing = await repository.findAndLockListing(tx, userId, id);
  if (!listing) throw createProblem('listing_not_found');
  return listing;
};

/** Counts the people who look for a person's listing and have not been told about it. */
export const countPeopleToTell = async (app: App, userId: string, listingId: string): Promise<number> => {
  const listing = await getListing(app.sql, userId, listingId);
  return listing.is_published ? repository.countPeopleToTell(app.sql, listing, getWantedContext(app)) : 0;
};

/** Notifies the people who look for a person's listing, each of them once. Returns how many were notified now. */
export const tellPeople = (app: App, userId: string, listingId: string): Promise<number> =>
  runInTransaction(app.sql, async (tx) => {
    const listing = await getListing(tx, userId, listingId);
    if (!listing.is_published) return 0;
    const userIds = await repository.insertAlerts(tx, listing, getWantedContext(app));
    if (userIds.length > 0)
      await notify(app, tx, 'wanted_found', [
        { subjectId: listing.id, facts: { listing_ids: [listing.id], slug: listing.slug }, userIds },
      ]);
    return userIds.length;
  });

const getOpenPost = async (app: App, id: string) => {
  const post = await findOpenPost(app.sql, id, getWantedContext(app));
  if (!post) throw createProblem('wanted_post_not_found');
  return post;
};

/** Lists a person's listings with which they can answer a wanted post. */
export const listListingsToAnswerWith = async (
  app: App,
  userId: string,
  postId: string,
): Promise<AnsweringListing[]> => {
  await getOpenPost(app, postId);
  const context = getWantedContext(app);
  const today = toCampusDay(context.campus, context.now);
  const rows = await repository.listListingsToAnswerWith(app.sql, {
    ...context,
    ...{ userId, postId, today, limit: maxListingsToAnswerWith },
  });
  return rows.map((row) => ({
    id: row.id,
    title: row.title ?? '',
    price: row.price ?? 0,
    category: row.category as AnsweringListing['category'],
    rental_period: row.rental_period as AnsweringListing['rental_period'],
    cover: presentCover(row),
    matches: row.matches,
  }));
};

/**
 * Writes to the author of a wanted post about a listing of the person who answers, who thereby starts the conversation about
 * that listing if there is none. Returns its id.
 */
export const answerWantedPost = async (
  app: App,
  userId: string,
  postId: string,
  { listing_id: listingId, text, client_id: clientId }: WantedAnswer,
): Promise<string> => {
  const listing = await getListing(app.sql, userId, listingId);
  if (!listing.is_published) throw createProblem('listing_not_found');
  const post = await getOpenPost(app, postId);
  if (post.user_id === userId) throw createProblem('own_wanted_post');
  const now = app.clock.now();
  const id = await findOrCreateConversation(app, app.sql, { listingId, buyerId: post.user_id, now });
  await sendMessage(app, { id, userId, clientId, text });
  return id;
};

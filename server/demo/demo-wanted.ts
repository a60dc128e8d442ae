import { type Campus, toCampusDay } from '#contract/campus.ts';
import { addDays } from '#contract/days.ts';
import { maxWantedDays } from '#contract/wanted.ts';
import { createWantedPost } from '#server/features/wanted/public.ts';
import type { Transaction } from '#server/platform/postgres/database.ts';
import type { DemoWantedPost } from './data.ts';
import { subtractDays } from './demo-times.ts';
import { deriveDemoId } from './ids.ts';
import { createPastApp } from './past-app.ts';
import { getPersonByName, type SeededPerson } from './plan-listings.ts';

interface WantedPostsOptions {
  posts: readonly DemoWantedPost[];
  people: ReadonlyMap<string, SeededPerson>;
  campus: Campus;
  /** The time at which the demo campus is created. */
  start: Date;
}

/** Creates the wanted posts of the demo people. */
export const createDemoWantedPosts = async (
  transaction: Transaction,
  { posts, people, campus, start }: WantedPostsOptions,
): Promise<void> => {
  const past = createPastApp(transaction, campus);
  for (const { person, daysAgo, ...content } of posts) {
    const postedAt = subtractDays(start, daysAgo);
    await past.moveTo(postedAt);
    await createWantedPost(past.app, getPersonByName(people, person).id, {
      ...content,
      clientId: deriveDemoId(`wanted ${content.title}`),
      until: addDays(toCampusDay(campus, postedAt), maxWantedDays),
    });
  }
  await past.moveTo(start);
  await past.finish();
};

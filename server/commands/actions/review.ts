import { readConfig } from '#server/config.ts';
import { getModeratedReview, removeReview, restoreReview } from '#server/features/reviews/public.ts';
import { type JsonOption, printLine, printResult } from '../printing.ts';
import { runWithApp } from '../run-with-app.ts';
import { type ReasonOptions, readActor } from './actor.ts';

type ModeratedReview = Awaited<ReturnType<typeof getModeratedReview>>;

const formatReview = (review: ModeratedReview): string =>
  [
    `${review.id}  ${review.rating} of 5 stars`,
    `  by       ${review.author_email ?? '(deleted account)'}`,
    `  about    ${review.subject_email} (${review.subject_id})`,
    `  public   from ${review.public_at.toISOString()}`,
    `  removed  ${review.removed_at?.toISOString() ?? 'no'}`,
    `  text     ${JSON.stringify(review.review_text)}`,
  ].join('\n');

export const printReview = (review: string, options: JsonOption): Promise<void> =>
  runWithApp(readConfig(process.env), undefined, async (app) =>
    printResult(await getModeratedReview(app, review), options, formatReview),
  );

const createChange =
  (what: string, apply: typeof removeReview) =>
  async (review: string, options: ReasonOptions): Promise<void> => {
    const config = readConfig(process.env);
    const actor = await readActor(what, options);
    await runWithApp(config, actor, async (app) => printLine(formatReview(await apply(app, review))));
  };
export const remove = createChange('remove', removeReview);
export const restore = createChange('restore', restoreReview);

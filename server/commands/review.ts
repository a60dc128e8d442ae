import { getModeratedReview, removeReview, restoreReview } from '#server/features/reviews/public.ts';
import { parseReasonArguments, readActor } from './actor.ts';
import { printLine, runCommand, UsageError } from './command.ts';
import { runWithApp } from './run-with-app.ts';

const usage = `Usage: npm run review -- <what>
  show <review>                              one review
  remove <review> --reason "sentence"        removes its text and its stars from the profile
  restore <review> --reason "sentence"       shows it again
<review> is the id after #review- in the link of a report. The audit trail keeps the reasons.`;

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

await runCommand(async (config, args) => {
  const { values, positionals } = parseReasonArguments(args, usage);
  const [what, review, ...rest] = positionals;
  const isKnown = ['show', 'remove', 'restore'].includes(what ?? '');
  if (!isKnown || review === undefined || rest.length > 0) throw new UsageError(usage);
  const actor =
    what === 'remove' || what === 'restore' ? await readActor(what, values.reason, usage) : undefined;
  await runWithApp(config, actor, async (app) => {
    if (what === 'remove') printLine(formatReview(await removeReview(app, review)));
    else if (what === 'restore') printLine(formatReview(await restoreReview(app, review)));
    else printLine(formatReview(await getModeratedReview(app, review)));
  });
});

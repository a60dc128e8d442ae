import { dealDurationSeconds } from '#contract/deal-transitions.ts';
import type { App } from '#server/app.ts';
import type { ModerationSignal } from '#server/events.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import { type Queryable, runInTransaction } from '#server/platform/postgres/database.ts';
import * as repository from './case-repository.ts';
import * as quotes from './quote-repository.ts';
import { storeQuote } from './quotes.ts';
import { getSignalRisk } from './risk-policy.ts';

/** A case is opened about a person whom this many people have reported within this period. */
export const reportThreshold = { reporters: 5, seconds: 30 * dayInSeconds };
/** A case is opened about a person with this many uncontested no-shows within this period. */
export const noShowThreshold = { deals: 3, seconds: 90 * dayInSeconds };

const findSubject = (tx: Queryable, { subject, subjectId }: ModerationSignal) => {
  if (subject === 'listing') return quotes.findQuotedListing(tx, subjectId, { isPublic: false });
  if (subject === 'user') return quotes.findQuotedUser(tx, subjectId);
  if (subject === 'wanted') return quotes.findQuotedWantedPost(tx, subjectId, { isPublic: false });
  return quotes.findQuotedMessage(tx, subjectId, { readerId: null });
};

/**
 * Adds an automatic signal to the case about its subject, in the transaction in which it was noticed. It never changes
 * the subject. Does nothing when the subject no longer exists.
 */
export const openSignal = async (app: App, tx: Queryable, signal: ModerationSignal): Promise<void> => {
  const quoted = await findSubject(tx, signal);
  if (!quoted) return;
  const { id } = await repository.findOrOpenCase(tx, quoted, app.clock.now());
  // Read after the case is locked, so that a signal is newer than an action that was chosen without it.
  const now = app.clock.now();
  const quoteId = await storeQuote(app, tx, id, quoted);
  await repository.saveSignal(tx, { caseId: id, quoteId, kind: signal.kind, detail: signal.detail, now });
  const risk = getSignalRisk(signal.kind, signal.isHeld ?? false);
  await repository.raiseCaseRisk(tx, { id, risk, now });
};

/** Opens a signal about a person whom many people have reported. Call it after each report. */
export const checkReportCount = async (app: App, tx: Queryable, personId: string): Promise<void> => {
  const since = addSeconds(app.clock.now(), -reportThreshold.seconds);
  const count = await repository.countReporters(tx, personId, since);
  if (count < reportThreshold.reporters) return;
  await openSignal(app, tx, {
    subject: 'user',
    subjectId: personId,
    kind: 'many_reports',
    detail: `${count} people reported this person, their listings or their messages within 30 days.`,
  });
};

/** Opens signals about the people who had several no-shows and did not contest them in time. */
export const checkNoShows = async (app: App): Promise<void> => {
  const now = app.clock.now();
  const people = await repository.listPeopleWithNoShows(app.sql, {
    since: addSeconds(now, -noShowThreshold.seconds),
    contestableSince: addSeconds(now, -dealDurationSeconds.contest),
    min: noShowThreshold.deals,
  });
  for (const { person_id: personId, count } of people)
    await runInTransaction(app.sql, (tx) =>
      openSignal(app, tx, {
        subject: 'user',
        subjectId: personId,
        kind: 'no_shows',
        detail: `${count} uncontested no-shows within 90 days.`,
      }),
    );
};

import { dealDurationSeconds } from '#contract/deal-transitions.ts';
import type { ModerationSignal } from '#server/events.ts';
import { addSeconds, type Clock, dayInSeconds } from '#server/platform/clock.ts';
import { type Queryable, runInTransaction, type Sql } from '#server/platform/postgres/database.ts';
import * as repository from './case-repository.ts';
import * as quotes from './quote-repository.ts';
import type { QuoteRecorder } from './quotes.ts';
import { getSignalRisk } from './risk-policy.ts';

/** A case is opened about a person whom this many people have reported within this period. */
export const reportThreshold = { reporters: 5, seconds: 30 * dayInSeconds };
/** A case is opened about a person with this many uncontested no-shows within this period. */
export const noShowThreshold = { deals: 3, seconds: 90 * dayInSeconds };

/**
 * Adds an automatic signal to the case about its subject, in the transaction in which it was noticed. It never changes
 * the subject. Does nothing when the subject no longer exists.
 */
export type SignalRecorder = (tx: Queryable, signal: ModerationSignal) => Promise<void>;

const findSubject = (tx: Queryable, { subject, subjectId }: ModerationSignal) => {
  if (subject === 'listing') return quotes.findQuotedListing(tx, subjectId, { isPublic: false });
  if (subject === 'user') return quotes.findQuotedUser(tx, subjectId);
  return quotes.findQuotedMessage(tx, subjectId, { readerId: null });
};

/** Creates the function with which features report to the moderators what they have detected. */
export const createSignalRecorder =
  ({ clock, storeQuote }: { clock: Clock; storeQuote: QuoteRecorder }): SignalRecorder =>
  async (tx, signal) => {
    const quoted = await findSubject(tx, signal);
    if (!quoted) return;
    const { id } = await repository.findOrOpenCase(tx, quoted, clock.now());
    // Read after the case is locked, so that a signal is newer than an action that was chosen without it.
    const now = clock.now();
    const quoteId = await storeQuote(tx, id, quoted);
    await repository.saveSignal(tx, { caseId: id, quoteId, kind: signal.kind, detail: signal.detail, now });
    const risk = getSignalRisk(signal.kind, signal.isHeld ?? false);
    await repository.raiseCaseRisk(tx, { id, risk, now });
  };

/**
 * Creates the function that reports a person to the moderators when many people have reported them. Call it after each
 * report.
 */
export const createReportCountCheck =
  ({ clock, openSignal }: { clock: Clock; openSignal: SignalRecorder }) =>
  async (tx: Queryable, personId: string): Promise<void> => {
    const since = addSeconds(clock.now(), -reportThreshold.seconds);
    const count = await repository.countReporters(tx, personId, since);
    if (count < reportThreshold.reporters) return;
    await openSignal(tx, {
      subject: 'user',
      subjectId: personId,
      kind: 'many_reports',
      detail: `${count} people reported this person, their listings or their messages within 30 days.`,
    });
  };

/**
 * Creates the job that reports to the moderators the people who had several no-shows and did not contest them in time.
 */
export const createNoShowSignalJob =
  ({ sql, clock, openSignal }: { sql: Sql; clock: Clock; openSignal: SignalRecorder }) =>
  async (): Promise<void> => {
    const now = clock.now();
    const people = await repository.listPeopleWithNoShows(sql, {
      since: addSeconds(now, -noShowThreshold.seconds),
      contestableSince: addSeconds(now, -dealDurationSeconds.contest),
      min: noShowThreshold.deals,
    });
    for (const { person_id: personId, count } of people)
      await runInTransaction(sql, (tx) =>
        openSignal(tx, {
          subject: 'user',
          subjectId: personId,
          kind: 'no_shows',
          detail: `${count} uncontested no-shows within 90 days.`,
        }),
      );
  };

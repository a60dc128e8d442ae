import type { Campus } from '#contract/campus.ts';
import { newReportSchema, type ReportSubjectType } from '#contract/reports.ts';
import type { App } from '#server/app.ts';
import {
  assignCase,
  chooseAction,
  copyQuotedPhotos,
  listDecisions,
  openSignal,
  submitAppeal,
  submitReport,
} from '#server/features/moderation/public.ts';
import type { FileStore } from '#server/platform/files/files.ts';
import { afterCommit, type Queryable, type Transaction } from '#server/platform/postgres/database.ts';
import type { DemoCase, DemoCaseStep } from './case-data.ts';
import { parseDemoTime } from './demo-times.ts';
import { createPastApp } from './past-app.ts';
import { getPersonByName, type PlannedListing, type SeededPerson } from './plan-listings.ts';

interface CasePlan {
  people: ReadonlyMap<string, SeededPerson>;
  listings: readonly PlannedListing[];
}

/** A demo case with the ids that its steps need. */
interface PlayedCase {
  planned: DemoCase;
  subject: ReportSubjectType;
  subjectId: string;
}

const getListingId = (title: string, { listings }: CasePlan): string => {
  const listing = listings.find((it) => it.title === title);
  if (!listing) throw new Error(`demo/cases.json: there is no listing '${title}'`);
  return listing.id;
};

const findMessageId = async (
  tx: Queryable,
  about: { listingId: string; buyerId: string; text: string },
): Promise<string> => {
  const [row] = await tx<{ id: string }[]>`
    SELECT m.id FROM messages m JOIN conversations c ON c.id = m.conversation_id
    WHERE c.listing_id = ${about.listingId} AND c.buyer_id = ${about.buyerId} AND m.message_text = ${about.text}`;
  if (!row) throw new Error(`demo/cases.json: there is no message '${about.text}'`);
  return row.id;
};

const planCase = async (tx: Queryable, planned: DemoCase, plan: CasePlan): Promise<PlayedCase> => {
  const { about } = planned;
  if ('person' in about)
    return { planned, subject: 'user', subjectId: getPersonByName(plan.people, about.person).id };
  const listingId = getListingId(about.listing, plan);
  if (!('message' in about)) return { planned, subject: 'listing', subjectId: listingId };
  const buyerId = getPersonByName(plan.people, about.buyer).id;
  const subjectId = await findMessageId(tx, { listingId, buyerId, text: about.message });
  return { planned, subject: 'message', subjectId };
};

/**
 * Finds the case about a subject. Cases about a person have no subject id, so they are found by the person's
 * id.
 */
const getCaseId = async (tx: Queryable, { subject, subjectId }: PlayedCase): Promise<string> => {
  const [row] = await tx<{ id: string }[]>`
    SELECT id FROM private.moderation_cases
    WHERE subject = ${subject} AND coalesce(subject_id, person_id) = ${subjectId}`;
  if (!row) throw new Error('demo/cases.json: a case begins with a report or a signal');
  return row.id;
};

interface PlayContext {
  app: App;
  tx: Transaction;
  people: CasePlan['people'];
}

const playStep = async (played: PlayedCase, step: DemoCaseStep, context: PlayContext): Promise<void> => {
  const { app, tx, people } = context;
  const { subject, subjectId } = played;
  if ('signal' in step) {
    await openSignal(app, tx, { subject, subjectId, kind: step.signal, detail: step.text });
    return;
  }
  const userId = getPersonByName(people, step.by).id;
  if ('report' in step) {
    const report = { subject, subject_id: subjectId, reason: step.report, text: step.text };
    await submitReport(app, userId, newReportSchema.parse(report));
    return;
  }
  const caseId = await getCaseId(tx, played);
  const moderator = { userId, role: 'administrator' as const };
  if ('assign' in step) await assignCase(app, moderator, caseId);
  else if ('action' in step) {
    const chosen = { action: step.action, reason: step.text, immediately: true };
    await chooseAction(app, moderator, caseId, chosen);
  } else {
    const [decision] = (await listDecisions(app, userId)).items;
    await submitAppeal(app, userId, { action_id: decision?.id, text: step.appeal });
  }
};

interface CaseOptions {
  cases: readonly DemoCase[];
  campus: Campus;
  /** The time at which the demo campus is created. */
  start: Date;
  /** The store with the photos of the listings, in which the copies of the quoted ones are stored. */
  files: FileStore;
}

/**
 * Creates the moderation cases of the demo campus in chronological order, by the same functions as real cases.
 * Copies the photos that the cases quote after the commit. Throws when a step is not possible at its time.
 */
export const createDemoCases = async (
  transaction: Transaction,
  { cases, campus, start, files, ...plan }: CasePlan & CaseOptions,
): Promise<void> => {
  const past = createPastApp(transaction, campus);
  const allPlayed: PlayedCase[] = [];
  for (const planned of cases) allPlayed.push(await planCase(transaction, planned, plan));
  const steps = allPlayed
    .flatMap((played) =>
      played.planned.steps.map((step) => ({ played, step, time: parseDemoTime(step.at, { campus, start }) })),
    )
    .sort((a, b) => a.time.getTime() - b.time.getTime());
  const context = { app: past.app, tx: transaction, people: plan.people };
  for (const { played, step, time } of steps) {
    await past.moveTo(time);
    try {
      await playStep(played, step, context);
    } catch (error) {
      const about = JSON.stringify(played.planned.about);
      throw new Error(`demo/cases.json: ${about}, ${step.at}: ${error}`, { cause: error });
    }
    await past.settle();
  }
  await past.moveTo(start);
  await past.finish();
  afterCommit(transaction, async () => {
    for (const quoted of past.quotedPhotos) await copyQuotedPhotos({ ...past.app, files }, quoted);
  });
};

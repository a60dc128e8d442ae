import { randomUUID } from 'node:crypto';
import {
  casePageSize,
  maxActionsShownPerCase,
  maxQuotesShownPerCase,
  maxReportsShownPerCase,
  moderationSignalKinds,
  type ReportedContent,
} from '#contract/moderation.ts';
import { quotedMessagesPerSide, reportReasons } from '#contract/reports.ts';
import type { Person, TestApp } from './app.ts';

const createQuote = (number: number): ReportedContent => ({
  subject: 'message',
  listing_title: `Listing ${number}`,
  messages: Array.from({ length: 2 * quotedMessagesPerSide + 1 }, (_, index) => ({
    from: 'reported',
    text: `Message ${index}`,
    sent_at: '2026-03-02T18:00:00.000Z',
    is_reported: index === quotedMessagesPerSide,
  })),
});

/**
 * Inserts a moderation case about a listing of a person, and other cases. The case has more reports, actions
 * and quotes than its page shows, and the list of cases does not fit on one page. Returns the id of the case.
 */
export const insertOversizedModerationCase = async (
  { sql, clock }: TestApp,
  person: Person,
): Promise<string> => {
  const [id, now] = [randomUUID(), clock.now()];
  await sql`
    INSERT INTO private.moderation_cases (id, subject, subject_id, person_id, title, risk, opened_at, updated_at)
    SELECT ${id}, 'listing', l.id, l.user_id, 'A desk', 3, ${now}::timestamptz, ${now}
    FROM listings l WHERE l.user_id = ${person.userId} LIMIT 1`;
  await sql`
    INSERT INTO private.moderation_cases (subject, subject_id, title, risk, opened_at, updated_at)
    SELECT 'listing', gen_random_uuid(), 'A lamp', 1, ${now}::timestamptz, ${now} FROM generate_series(1, ${casePageSize}::int)`;
  const quotes = Array.from({ length: maxQuotesShownPerCase + 1 }, (_, index) =>
    JSON.stringify(createQuote(index)),
  );
  await sql`
    INSERT INTO private.moderation_quotes (case_id, content, photo_count, quoted_at)
    SELECT ${id}, content::jsonb, 0, ${now} FROM unnest(${quotes}::text[]) AS content`;
  await sql`
    INSERT INTO private.moderation_reports (case_id, quote_id, reason, report_text, created_at)
    SELECT ${id}, (SELECT id FROM private.moderation_quotes WHERE case_id = ${id} LIMIT 1), reason, '', ${now}
    FROM unnest(${[...reportReasons]}::text[]) AS reason, generate_series(1, ${maxReportsShownPerCase}::int)`;
  await sql`
    INSERT INTO private.moderation_signals (case_id, quote_id, kind, detail, raised_at)
    SELECT ${id}, (SELECT id FROM private.moderation_quotes WHERE case_id = ${id} LIMIT 1), kind, 'Noticed', ${now}
    FROM unnest(${[...moderationSignalKinds]}::text[]) AS kind`;
  await sql`
    INSERT INTO private.moderation_actions (case_id, action, reason, chosen_at, takes_effect_at, applied_at)
    SELECT ${id}, 'warn', 'Not allowed', ${now}, ${now}, ${now} FROM generate_series(1, ${maxActionsShownPerCase + 1}::int)`;
  return id;
};

import type { Campus } from '#contract/campus.ts';
import { getDisplayNameFromEmail, getFullNameSchema, removeForbiddenSymbols } from '#contract/names.ts';
import { countCharacters, normalizeLine, normalizeParagraph, removePictographs } from '#contract/text.ts';
import type { App } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { correctTextKeys } from '#server/features/saved-searches/public.ts';
import { invalidateListingPages, invalidateProfilePages } from '#server/pages/public.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import { fragment } from '#server/platform/postgres/sql-fragments.ts';
import * as repository from './repository.ts';

/**
 * Number of rows per query and number of queries per run. The job runs every minute, and each run
 * continues where the previous one stopped.
 */
const batchSize = 1000;
const batchesPerRun = 100;
/** An id that sorts before all other ids. */
const nilUuid = '00000000-0000-0000-0000-000000000000';

/**
 * Replacements for a title or message of which nothing remains after the check; the database
 * requires a value.
 */
const fallbackTitle = 'Untitled listing';
const fallbackMessage = '(empty message)';

/**
 * Normalizes a stored text. NFC splits a few characters into several: a text that would become longer, and could then
 * exceed the limit of its column, loses its end.
 */
const normalizeStored = (text: string, normalize: (text: string) => string): string =>
  [...normalize(text)].slice(0, countCharacters(text)).join('');
const fixLine = (text: string): string => normalizeStored(text, normalizeLine);
const fixParagraph = (text: string): string => normalizeStored(text, normalizeParagraph);
const fixLineOrNull = (text: string | null): string | null => fixLine(text ?? '') || null;
const fixParagraphOrNull = (text: string | null): string | null => fixParagraph(text ?? '') || null;

const fixListing = (listing: repository.StoredListing): repository.StoredListing => {
  const { status, title } = listing;
  return {
    ...listing,
    // Emoji are removed from the titles of published listings only; the title of a draft may
    // contain them.
    title: fixLineOrNull(status === 'published' ? removePictographs(title ?? '') : title),
    description: fixParagraphOrNull(listing.description),
    location: fixLineOrNull(listing.location),
    contact_email: fixLineOrNull(listing.contact_email),
    contact_phone: fixLineOrNull(listing.contact_phone),
  };
};

/**
 * Returns the profile with a name that the current rules allow: the stored name, the stored name
 * without forbidden symbols, or none. Other people see the local part of the email address if the
 * name is missing or hidden; if that part looks like a staff name, the person gets a neutral,
 * visible name instead.
 */
const fixProfile = (campus: Campus, person: repository.StoredProfile): repository.StoredProfile => {
  const { email, full_name: name, show_full_name: shown } = person;
  const nameSchema = getFullNameSchema(campus);
  const bio = fixParagraphOrNull(person.bio);
  const accepted = [name, removeForbiddenSymbols(name ?? '')]
    .map((candidate) => nameSchema.safeParse(candidate))
    .find(({ success }) => success);
  const full_name = accepted?.data ?? null;
  const fromAddress = getDisplayNameFromEmail(email, campus);
  const visibleAddress = !(full_name && shown);
  if (visibleAddress && !email.startsWith(`${fromAddress}@`))
    return { ...person, full_name: fromAddress, show_full_name: true, bio };
  return { ...person, full_name, bio };
};

const saveProfile = async (
  app: App,
  person: repository.StoredProfile,
  fixed: repository.StoredProfile,
): Promise<void> => {
  const withoutName = person.full_name !== null && normalizeLine(person.full_name) !== fixed.full_name;
  await runInTransaction(app.sql, async (tx) => {
    if (!(await repository.updateStoredProfile(tx, person, fixed)) || !withoutName) return;
    const reason = 'the name is not allowed';
    await noteSecurityEvent(app, { event: 'name_replaced', userId: person.id, reason }, tx);
  });
  await invalidateProfilePages(app, person.id);
};

const saveListing = async (
  app: App,
  listing: repository.StoredListing,
  fixed: repository.StoredListing,
): Promise<void> => {
  await repository.updateListing(app.sql, listing, fixed);
  const { id, status, category } = listing;
  if (status === 'published' && category) await invalidateListingPages(app, id, [category]);
};

/**
 * Fixes a batch of rows, in the order of their ids, and saves those that the rules change. Returns the id of the last
 * one, or null when there are no more.
 */
const backfillBatch = async <Row extends { id: string }>(
  rows: readonly Row[],
  fix: (row: Row) => Row,
  save: (row: Row, fixed: Row) => Promise<unknown>,
): Promise<string | null> => {
  for (const row of rows) {
    const fixed = fix(row);
    if (JSON.stringify(fixed) !== JSON.stringify(row)) await save(row, fixed);
  }
  return rows.length < batchSize ? null : (rows.at(-1)?.id ?? null);
};

/** Backfills the rows of a table that follow the given id. */
type TableBackfill = (app: App, batch: repository.BatchRequest) => Promise<string | null>;

const createTextBackfill =
  (column: repository.TextColumn, fix: (text: string) => string): TableBackfill =>
  async ({ sql }, batch) =>
    backfillBatch(
      await repository.listTexts(sql, column, batch),
      ({ id, text }) => ({ id, text: fix(text) }),
      (row, fixed) => repository.updateText(sql, column, row, fixed),
    );

/**
 * The tables in the order in which they are backfilled. Listings come before conversations: when a
 * check turns a listing into a draft, its conversations keep the old title, which must then be
 * checked as well.
 */
const backfills: Record<string, TableBackfill> = {
  users: async (app, batch) =>
    backfillBatch(
      await repository.listStoredProfiles(app.sql, batch),
      (row) => fixProfile(app.config.campus, row),
      (row, fixed) => saveProfile(app, row, fixed),
    ),
  listings: async (app, batch) =>
    backfillBatch(await repository.listListings(app.sql, batch), fixListing, (row, fixed) =>
      saveListing(app, row, fixed),
    ),
  conversations: createTextBackfill(
    { table: fragment`conversations`, column: fragment`listing_title` },
    (text) => fixLine(text) || fallbackTitle,
  ),
  messages: createTextBackfill(
    { table: fragment`messages`, column: fragment`message_text` },
    (text) => fixParagraph(text) || fallbackMessage,
  ),
  reviews: createTextBackfill({ table: fragment`reviews`, column: fragment`review_text` }, fixParagraph),
};

/** Derived columns that searches need and earlier versions did not have, in the order in which they are filled. */
const derivedColumns: Record<string, (app: App, batch: repository.BatchRequest) => Promise<string | null>> = {
  'folded listings': (app, batch) => repository.foldListings(app.sql, batch),
  'saved search keys': (app, batch) => correctTextKeys(app.sql, batch),
};

/**
 * The version of the rules. A higher one checks every table again. The progress of each version has its own rows, because
 * the previous version of the server may still be running and continues with its own rules.
 */
const rulesVersion = 2;

/** Backfills the next batch of rows; returns false once every table is finished. */
const backfillNextBatch = async (app: App): Promise<boolean> => {
  const progress = await repository.readProgress(app.sql);
  for (const [name, fill] of Object.entries(derivedColumns)) {
    const filledTo = progress.get(name);
    if (filledTo === null) continue;
    const batch = { after: filledTo ?? nilUuid, limit: batchSize };
    await repository.saveProgress(app.sql, name, await fill(app, batch));
    return true;
  }
  for (const [table, backfill] of Object.entries(backfills)) {
    const name = `${table}:${rulesVersion}`;
    const after = progress.has(name) ? progress.get(name) : nilUuid;
    if (!after) continue;
    await repository.saveProgress(app.sql, name, await backfill(app, { after, limit: batchSize }));
    return true;
  }
  return false;
};

/**
 * Fills derived columns, and applies the current rules to texts and names that were stored before these rules existed: removes invisible and
 * direction-changing characters, stores the composed form (NFC), limits combining marks, and replaces names that imitate the product or its staff. Checks each table once, in
 * up to `batchesPerRun` batches of rows per run, and does nothing once every table is finished. Two processes may check
 * the same rows at the same time, and a run may be interrupted at any point.
 */
export const backfillStoredTexts = async (app: App): Promise<void> => {
  for (let batches = 0; batches < batchesPerRun; batches += 1) {
    if (!(await backfillNextBatch(app))) return;
  }
};

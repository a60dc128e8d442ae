import type { Campus } from '#contract/campus.ts';
import { fullNameSchema, nameFromAddress, removeSymbols } from '#contract/names.ts';
import { normalizeLine, normalizeParagraph, pictographPattern } from '#contract/text.ts';
import type { Audit } from '#server/audit/public.ts';
import type { PageInvalidation } from '#server/pages/public.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import * as repository from './repository.ts';

/** Number of rows per query, and of queries per run; the next run, a minute later, continues. */
const batchSize = 1000;
const batchesPerRun = 100;
/** An id that sorts before all other ids. */
const firstId = '00000000-0000-0000-0000-000000000000';

/** Replacements for a title or message of which nothing is left; neither may be empty. */
const emptyTitle = 'Untitled listing';
const emptyMessage = '(empty message)';

interface StoredTextsDeps {
  sql: Sql;
  campus: Campus;
  audit: Pick<Audit, 'note'>;
  invalidation: Pick<PageInvalidation, 'listingChanged' | 'profileChanged'>;
}

/** The check of a table: how its rows are read, corrected and saved. */
interface Check<Row extends { id: string }> {
  list(sql: Sql, batch: repository.Batch): Promise<readonly Row[]>;
  fix(row: Row): Row;
  save(row: Row, fixed: Row): Promise<unknown>;
}

const toLineOrNull = (text: string | null): string | null => normalizeLine(text ?? '') || null;
const toParagraphOrNull = (text: string | null): string | null => normalizeParagraph(text ?? '') || null;

const fixListing = (listing: repository.StoredListing): repository.StoredListing => {
  const { status, title } = listing;
  return {
    ...listing,
    // The title of a draft may contain emoji.
    title: toLineOrNull(
      status === 'published' ? (title?.replace(new RegExp(pictographPattern, 'gu'), '') ?? null) : title,
    ),
    description: toParagraphOrNull(listing.description),
    location: toLineOrNull(listing.location),
    contact_email: toLineOrNull(listing.contact_email),
    contact_phone: toLineOrNull(listing.contact_phone),
  };
};

/**
 * Creates the service that applies the current rules to texts and names stored before these rules: it removes invisible
 * and direction-changing characters, and replaces names that imitate the product or its staff. It checks each table
 * once. Two processes may check the same rows at the same time, and a run may be interrupted at any point.
 */
export const createStoredTexts = ({ sql, campus, audit, invalidation }: StoredTextsDeps) => {
  const nameSchema = fullNameSchema(campus);

  /**
   * Returns the profile with the acceptable part of its name, if any. Other people see the beginning of the email
   * address of a person without a name, so an address that looks like a staff name gets a neutral name instead.
   */
  const fixName = (person: repository.StoredName): repository.StoredName => {
    const { email, full_name: name, show_full_name: shown } = person;
    const bio = toParagraphOrNull(person.bio);
    const accepted = [name, removeSymbols(name ?? '')]
      .map((candidate) => nameSchema.safeParse(candidate))
      .find(({ success }) => success);
    const full_name = accepted?.data ?? null;
    const fromAddress = nameFromAddress(email, campus);
    const visibleAddress = !(full_name && shown);
    if (visibleAddress && !email.startsWith(`${fromAddress}@`))
      return { ...person, full_name: fromAddress, show_full_name: true, bio };
    return { ...person, full_name, bio };
  };

  const saveName = async (person: repository.StoredName, fixed: repository.StoredName): Promise<void> => {
    const withoutName = person.full_name !== null && normalizeLine(person.full_name) !== fixed.full_name;
    await sql.begin(async (tx) => {
      if (!(await repository.updateName(tx, person, fixed)) || !withoutName) return;
      const reason = 'the name is not allowed';
      await audit.note({ event: 'name_replaced', userId: person.id, reason }, tx);
    });
    await invalidation.profileChanged(person.id);
  };

  const saveListing = async (
    listing: repository.StoredListing,
    fixed: repository.StoredListing,
  ): Promise<void> => {
    await repository.updateListing(sql, listing, fixed);
    const { id, status, category } = listing;
    if (status === 'published' && category) await invalidation.listingChanged(id, [category]);
  };

  const checkBatch = async <Row extends { id: string }>(
    { list, fix, save }: Check<Row>,
    checkedTo = firstId,
  ): Promise<string | null> => {
    const rows = await list(sql, { after: checkedTo, limit: batchSize });
    for (const row of rows) {
      const fixed = fix(row);
      if (JSON.stringify(fixed) !== JSON.stringify(row)) await save(row, fixed);
    }
    return rows.length < batchSize ? null : (rows.at(-1)?.id ?? null);
  };

  const names: Check<repository.StoredName> = {
    list: repository.listNames,
    fix: fixName,
    save: saveName,
  };
  const listings: Check<repository.StoredListing> = {
    list: repository.listListings,
    fix: fixListing,
    save: saveListing,
  };
  const titles: Check<repository.StoredText> = {
    list: repository.listConversationTitles,
    fix: ({ id, text }) => ({ id, text: normalizeLine(text) || emptyTitle }),
    save: (row, fixed) => repository.updateConversationTitle(sql, row, fixed),
  };
  const messages: Check<repository.StoredText> = {
    list: repository.listMessages,
    fix: ({ id, text }) => ({ id, text: normalizeParagraph(text) || emptyMessage }),
    save: (row, fixed) => repository.updateMessage(sql, row, fixed),
  };
  /**
   * Listings come before conversations, because a listing that becomes a draft leaves its old title to its
   * conversations.
   */
  const checks = {
    users: (checkedTo?: string) => checkBatch(names, checkedTo),
    listings: (checkedTo?: string) => checkBatch(listings, checkedTo),
    conversations: (checkedTo?: string) => checkBatch(titles, checkedTo),
    messages: (checkedTo?: string) => checkBatch(messages, checkedTo),
  };

  /** Checks the next batch of rows; returns false once every table is checked. */
  const checkNextBatch = async (): Promise<boolean> => {
    const progress = await repository.findProgress(sql);
    for (const [table, check] of Object.entries(checks)) {
      const checkedTo = progress.get(table);
      if (checkedTo === null) continue;
      await repository.saveProgress(sql, table, await check(checkedTo));
      return true;
    }
    return false;
  };

  return {
    /** Checks up to `batchesPerRun` batches of rows; does nothing once every table is checked. */
    checkNext: async (): Promise<void> => {
      for (let batches = 0; batches < batchesPerRun; batches += 1) {
        if (!(await checkNextBatch())) return;
      }
    },
  };
};

export type StoredTexts = ReturnType<typeof createStoredTexts>;

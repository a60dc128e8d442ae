import { type Campus, isCampusEmail, toCampusDay } from '#contract/campus.ts';
import type { ConsoleRole } from '#contract/console.ts';
import { addDays } from '#contract/days.ts';
import type { Clock } from '#server/platform/clock.ts';
import { type Queryable, runInTransaction, type Sql } from '#server/platform/postgres/database.ts';
import { type DemoTexts, readDemoData, readDemoPeople } from './data.ts';
import { createDemoBooks } from './demo-books.ts';
import { createDemoCases } from './demo-cases.ts';
import { createDemoDeals, listDealPhotos } from './demo-deals.ts';
import { createDemoSavedSearches } from './demo-saved-searches.ts';
import { subtractDays } from './demo-times.ts';
import { createDemoWantedPosts } from './demo-wanted.ts';
import { insertDemoForm } from './forms.ts';
import { deriveDemoId } from './ids.ts';
import { type DemoPhotoTools, storeDemoPhotos } from './photos.ts';
import { planConversations } from './plan-conversations.ts';
import { getPersonByName, listListingPhotos, planListings } from './plan-listings.ts';
import { revokeDemoRoles } from './remove.ts';
import {
  insertAvailabilityQuestion,
  insertConversation,
  insertListing,
  insertPerson,
  insertPhoto,
  insertSavedListing,
  storeAwayDay,
} from './rows.ts';

const demoPassword = 'demo2024';

export interface SeedOptions extends DemoPhotoTools {
  sql: Sql;
  clock: Clock;
  campus: Campus;
  /** What is in the place of names, places, measures and phone numbers in the demo data. */
  texts?: DemoTexts;
  /** Hashes a password in the format of private.credentials. */
  passwordHash: (password: string) => Promise<string>;
  /**
   * Whether demo accounts keep the console roles that the data give them, although their password is public.
   */
  grantsRoles: boolean;
  /** Called at the start of seeding, which takes a few seconds. */
  begin?: () => void;
}

export interface DemoLogins {
  accounts: { email: string; full_name: string; role: ConsoleRole | null }[];
  password: string;
}

/**
 * Fills an empty database with the demo campus. If the database contains any account, writes
 * nothing and returns undefined. Photo files are stored first, then all rows in one transaction;
 * after an interruption the seeding runs again from the start and reuses these files, because their
 * names do not change.
 */
export const seedDemoCampus = async (options: SeedOptions): Promise<DemoLogins | undefined> => {
  const { sql, clock, campus, texts, passwordHash, begin } = options;
  if (await hasUsers(sql)) return undefined;
  begin?.();
  const start = clock.now();
  const data = await readDemoData(campus, texts);
  const people = new Map(
    [...data.people].map(([name, person]) => {
      const verified = isCampusEmail(campus, person.email);
      return [name, { ...person, id: deriveDemoId(person.email), verified }];
    }),
  );
  const listings = planListings({ listings: data.listings, people, campus, start });
  const conversations = planConversations({ conversations: data.conversations, listings, people });
  const taken = [
    ...listListingPhotos(listings),
    ...listDealPhotos(data.deals, { people, listings, campus, start }),
  ];
  const [hash, photos] = await Promise.all([passwordHash(demoPassword), storeDemoPhotos(taken, options)]);

  const seeded = await runInTransaction(sql, async (transaction) => {
    // When two processes start concurrently, the second waits here and then finds accounts.
    await transaction`LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE`;
    if (await hasUsers(transaction)) return false;
    for (const person of people.values())
      await insertPerson(transaction, person, { passwordHash: hash, start });
    await createDemoBooks(transaction, texts);
    for (const photo of photos) await insertPhoto(transaction, photo);
    for (const listing of listings) {
      await insertListing(transaction, listing);
      if (listing.askedAt) await insertAvailabilityQuestion(transaction, listing, listing.askedAt);
    }
    const today = toCampusDay(campus, start);
    for (const { id, awayDays } of people.values())
      if (awayDays) await storeAwayDay(transaction, id, addDays(today, awayDays));
    for (const conversation of conversations) await insertConversation(transaction, conversation);
    await createDemoDeals(transaction, { deals: data.deals, people, listings, campus, start });
    for (const { person, listing: title, daysAgo, price } of data.savedListings) {
      const listing = listings.find((it) => it.title === title);
      if (!listing) throw new Error(`demo/saved.json: there is no listing '${title}'`);
      await insertSavedListing(transaction, {
        personId: getPersonByName(people, person).id,
        listing,
        price: price ?? listing.price,
        savedAt: subtractDays(start, daysAgo),
      });
    }
    await createDemoSavedSearches(transaction, {
      searches: data.savedSearches,
      people,
      listings,
      campus,
      start,
    });
    await createDemoWantedPosts(transaction, { posts: data.wantedPosts, people, campus, start });
    for (const form of data.forms) await insertDemoForm(transaction, form, { people, start });
    const { files } = options;
    await createDemoCases(transaction, { cases: data.cases, people, listings, campus, start, files });
    // The demo moderators needed their roles for the decisions of the past.
    if (!options.grantsRoles) await revokeDemoRoles(transaction);
    return true;
  });
  return seeded ? findDemoLogins(sql, campus, texts) : undefined;
};

/**
 * Returns the demo accounts in this database, so that later starts can print them. Returns undefined when
 * there are none.
 */
export const findDemoLogins = async (
  sql: Queryable,
  campus: Campus,
  texts?: DemoTexts,
): Promise<DemoLogins | undefined> => {
  const people = [...(await readDemoPeople(campus, texts)).values()];
  const rows = await sql<{ id: string; role: ConsoleRole | null }[]>`
    SELECT user_id AS id, console_role AS role FROM private.credentials
    WHERE user_id = ANY (${people.map(({ email }) => deriveDemoId(email))})`;
  const roleById = new Map(rows.map(({ id, role }) => [id, role]));
  const accounts = people.flatMap(({ email, fullName }) => {
    const role = roleById.get(deriveDemoId(email));
    return role === undefined ? [] : [{ email, full_name: fullName, role }];
  });
  return accounts.length > 0 ? { accounts, password: demoPassword } : undefined;
};

const hasUsers = async (sql: Queryable): Promise<boolean> => {
  const [row] = await sql<{ found: boolean }[]>`SELECT EXISTS (SELECT 1 FROM users) AS found`;
  return row?.found ?? false;
};

import { createHash } from 'node:crypto';
import { type Campus, isCampusEmail } from '#contract/campus.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Queryable, Sql } from '#server/platform/postgres/database.ts';
import { readDemoData, readDemoPeople } from './data.ts';
import { type DemoPhotoDeps, storePhotos } from './photos.ts';
import { planConversations } from './plan-conversations.ts';
import { getPersonByName, planListings } from './plan-listings.ts';
import { playDeals } from './play-deals.ts';
import { insertConversation, insertListing, insertPerson, insertPhoto, insertSavedListing } from './rows.ts';
import { saveSearches } from './save-searches.ts';
import { subtractDays } from './schedule.ts';

/** The password of every demo account. */
const demoPassword = 'demo2024';

export interface SeedDeps extends DemoPhotoDeps {
  sql: Sql;
  clock: Clock;
  campus: Campus;
  /** Returns the password hash for private.credentials. */
  passwordHash: (password: string) => Promise<string>;
  /** Called when the seeding starts, which takes a few seconds. */
  begin?: () => void;
}

/** The demo accounts and the password to sign in to them. */
export interface DemoLogins {
  accounts: { email: string; full_name: string }[];
  password: string;
}

/**
 * Fills an empty database with the demo campus. If the database contains any account, writes
 * nothing and returns undefined. Photo files are stored first, then all rows in one transaction;
 * after an interruption the seeding runs again from the start and reuses these files, because their
 * names do not change.
 */
export const seedDemoCampus = async (deps: SeedDeps): Promise<DemoLogins | undefined> => {
  const { sql, clock, campus, passwordHash, begin } = deps;
  if (await hasUsers(sql)) return undefined;
  begin?.();
  const start = clock.now();
  const data = await readDemoData(campus);
  const people = new Map(
    [...data.people].map(([name, person]) => {
      const verified = isCampusEmail(campus, person.email);
      return [name, { ...person, id: deriveDemoUserId(person.email), verified }];
    }),
  );
  const listings = planListings({ listings: data.listings, people, campus, start });
  const conversations = planConversations({ conversations: data.conversations, listings, people });
  const [hash, photos] = await Promise.all([passwordHash(demoPassword), storePhotos(listings, deps)]);

  const seeded = await sql.begin(async (transaction) => {
    // When two processes start concurrently, the second waits here and then finds accounts.
    await transaction`LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE`;
    if (await hasUsers(transaction)) return false;
    for (const person of people.values()) await insertPerson(transaction, person, hash, start);
    for (const photo of photos) await insertPhoto(transaction, photo);
    for (const listing of listings) await insertListing(transaction, listing);
    for (const conversation of conversations) await insertConversation(transaction, conversation);
    await playDeals(transaction, { deals: data.deals, people, listings, campus, start });
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
    await saveSearches(transaction, { searches: data.savedSearches, people, listings, campus, start });
    return true;
  });
  return seeded ? { accounts: await readDemoAccounts(campus), password: demoPassword } : undefined;
};

/** Returns the demo accounts in this database, so that later starts can print them; undefined when there are none. */
export const findDemoLogins = async (sql: Queryable, campus: Campus): Promise<DemoLogins | undefined> => {
  const all = await readDemoAccounts(campus);
  const ids = all.map(({ email }) => deriveDemoUserId(email));
  const rows = await sql<{ id: string }[]>`SELECT id FROM users WHERE id = ANY (${ids})`;
  const present = new Set(rows.map((row) => row.id));
  const accounts = all.filter(({ email }) => present.has(deriveDemoUserId(email)));
  return accounts.length > 0 ? { accounts, password: demoPassword } : undefined;
};

const readDemoAccounts = async (campus: Campus): Promise<DemoLogins['accounts']> =>
  [...(await readDemoPeople(campus)).values()].map(({ email, fullName }) => ({ email, full_name: fullName }));

const hasUsers = async (sql: Queryable): Promise<boolean> => {
  const [row] = await sql<{ found: boolean }[]>`SELECT EXISTS (SELECT 1 FROM users) AS found`;
  return row?.found ?? false;
};

/**
 * Returns the id of a demo account, which is derived from its email address and therefore the same
 * on every machine. This allows reusing the files of an interrupted seeding, and finding the demo
 * accounts that were created for another CAMPUS_DOMAIN.
 */
export const deriveDemoUserId = (email: string): string => {
  const digits = createHash('sha256').update(`demo campus ${email}`).digest('hex');
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
};

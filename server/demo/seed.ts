import { createHash } from 'node:crypto';
import { type Campus, isCampusAddress } from '#contract/campus.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Queryable, Sql } from '#server/platform/database.ts';
import type { Files } from '#server/platform/files.ts';
import { demoData } from './campus-data.ts';
import { type DrawPictures, drawPictures } from './draw.ts';
import { demoPassword, demoPeople, type PersonKey } from './people.ts';
import { keepPhotos, planListings } from './plan.ts';
import { insertConversation, insertListing, insertPerson, insertPhoto } from './rows.ts';
import { planConversations } from './talk.ts';

export interface SeedDeps {
  sql: Sql;
  files: Files;
  clock: Clock;
  campus: Campus;
  /** What private.credentials keeps of a password. */
  passwordHash: (password: string) => Promise<string>;
  /** Draws the photos; the real one unless a test brings something quicker. */
  draw?: DrawPictures;
  /** Called when there is something to do, which takes some seconds. */
  begin?: () => void;
}

/** What a newcomer needs to sign in. */
export interface DemoCampus {
  accounts: { email: string; full_name: string }[];
  password: string;
}

/**
 * Fills an empty database with the demo campus. Into a database that holds anyone it writes nothing and returns
 * undefined. Files come first, then all rows in one transaction; a seeding that was cut off is repeated whole, and
 * its files are found again under the same names.
 */
export async function seedDemoCampus(deps: SeedDeps): Promise<DemoCampus | undefined> {
  const { sql, files, clock, campus, passwordHash, draw = drawPictures, begin } = deps;
  if (await hasUsers(sql)) return undefined;
  begin?.();
  const start = clock.now();
  const data = demoData(campus);
  const people = Object.entries(data.people).map(([key, person]) => ({
    ...person,
    key: key as PersonKey,
    id: personId(person.email),
    verified: isCampusAddress(campus, person.email),
  }));
  const byKey = Object.fromEntries(people.map((person) => [person.key, person])) as Record<
    PersonKey,
    (typeof people)[number]
  >;
  const listings = planListings({ listings: data.listings, people: byKey, campus, start });
  const conversations = planConversations({ conversations: data.conversations, listings, people: byKey });
  const [hash, photos] = await Promise.all([
    passwordHash(demoPassword),
    keepPhotos({ listings, files, draw }),
  ]);

  const seeded = await sql.begin(async (transaction) => {
    // Two processes that start at once: the second waits here, then finds people.
    await transaction`LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE`;
    if (await hasUsers(transaction)) return false;
    for (const person of people) await insertPerson(transaction, person, hash, start);
    for (const photo of photos) await insertPhoto(transaction, photo);
    for (const listing of listings) await insertListing(transaction, listing);
    for (const conversation of conversations) await insertConversation(transaction, conversation);
    return true;
  });
  return seeded ? { accounts: accountsOf(campus), password: demoPassword } : undefined;
}

/** The demo campus as far as this database holds it, for announcing it at later starts; undefined when it does not. */
export async function findDemoCampus(sql: Queryable, campus: Campus): Promise<DemoCampus | undefined> {
  const all = accountsOf(campus);
  const ids = all.map(({ email }) => personId(email));
  const rows = await sql<{ id: string }[]>`SELECT id FROM users WHERE id = ANY (${ids})`;
  const present = new Set(rows.map((row) => row.id));
  const accounts = all.filter(({ email }) => present.has(personId(email)));
  return accounts.length > 0 ? { accounts, password: demoPassword } : undefined;
}

const accountsOf = (campus: Campus): DemoCampus['accounts'] =>
  Object.values(demoPeople(campus)).map(({ email, fullName }) => ({ email, full_name: fullName }));

const hasUsers = async (sql: Queryable): Promise<boolean> => {
  const [row] = await sql<{ found: boolean }[]>`SELECT EXISTS (SELECT 1 FROM users) AS found`;
  return row?.found ?? false;
};

/**
 * The same address has the same id on every machine: files of a seeding that was cut off are found again, and so is
 * everybody of a demo campus that was made for another CAMPUS_DOMAIN.
 */
export function personId(email: string): string {
  const digits = createHash('sha256').update(`demo campus ${email}`).digest('hex');
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

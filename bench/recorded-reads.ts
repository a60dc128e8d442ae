import postgres from 'postgres';
import { defaultCampus } from '#contract/campus.ts';
import { listingQuerySchema } from '#contract/listings.ts';
import * as conversations from '#server/conversations/repository.ts';
import { createListingReads } from '#server/listings/reading.ts';
import { systemClock } from '#server/platform/clock.ts';
import type { Sql } from '#server/platform/database.ts';

/** A statement as our server sends it, for another one to send. */
export interface RecordedRead {
  statement: string;
  parameters: unknown[];
}

/** What our server asks PostgreSQL for each path of the bench. */
export const recordReads = async (
  databaseUrl: string,
  { slug, userId }: { slug: string; userId: string },
): Promise<Record<string, RecordedRead>> => {
  let last: RecordedRead | undefined;
  const sql = postgres(databaseUrl, {
    max: 1,
    fetch_types: false,
    debug: (_connection, statement, parameters) => {
      last = { statement, parameters: [...parameters] };
    },
  }) as unknown as Sql;
  const reads = createListingReads({ sql, searchSql: sql, clock: systemClock, campus: defaultCampus });
  const list = (query: object) => reads.listPublished(listingQuerySchema.parse(query));
  const asks: Record<string, () => Promise<unknown>> = {
    '/rest/v1/listings?limit=8': () => list({ limit: 8 }),
    '/rest/v1/listings?category=furniture': () => list({ category: 'furniture' }),
    [`/rest/v1/listings/${slug}`]: () => reads.getPublished(slug),
    '/rest/v1/conversations': () => conversations.listConversations(sql, userId),
  };
  const recorded: Record<string, RecordedRead> = {};
  for (const [path, ask] of Object.entries(asks)) {
    await ask();
    if (last) recorded[path] = last;
  }
  await sql.end();
  return recorded;
};

import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Announcement, announcementSchema } from '#contract/realtime.ts';
import { type Bus, createListeners } from './bus.ts';
import type { Sql } from './database.ts';
import type { Log } from './log.ts';

const channel = 'quad';
/** A payload of NOTIFY stays below 8,000 bytes (PostgreSQL, sql-notify): this many ids do with room to spare. */
const idsTogether = 100;
/** What waits while the database is away; more than that is given up, oldest first. */
const waitingAtMost = 10_000;
const togetherAtMost = 500;
const retryMs = 500;

const envelopeSchema = z.object({ from: z.string(), announcement: announcementSchema });

const inParts = (announcement: Announcement): Announcement[] => {
  if (announcement.kind !== 'sessions_ended') return [announcement];
  const parts: Announcement[] = [];
  for (let start = 0; start < announcement.session_ids.length; start += idsTogether) {
    parts.push({ ...announcement, session_ids: announcement.session_ids.slice(start, start + idsTogether) });
  }
  return parts;
};

const readEnvelope = (payload: string) => {
  try {
    return envelopeSchema.safeParse(JSON.parse(payload)).data;
  } catch {
    return undefined;
  }
};

/**
 * The bus between processes on one database, by LISTEN and NOTIFY. The own process hears at once; the others as soon
 * as PostgreSQL passes it on. What gathers during one NOTIFY goes out with the next, since committing one is
 * serialised in the whole database. After a lost connection it listens again by itself and tells of the gap.
 * Throws when the database cannot be reached at first.
 */
export const createPostgresBus = async (sql: Sql, log: Log): Promise<Bus> => {
  const from = randomUUID();
  const listeners = createListeners();
  let waiting: string[] = [];
  let sending: Promise<void> | undefined;
  let closed = false;

  const send = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, togetherAtMost);
      try {
        await sql`SELECT pg_notify(${channel}, payload) FROM unnest(${batch}::text[]) AS payload`;
        waiting = waiting.slice(batch.length);
      } catch (error) {
        if (closed) return;
        log.warn({ err: error }, 'announcements wait for the database');
        await new Promise((done) => setTimeout(done, retryMs).unref());
      }
    }
  };

  const flush = (): void => {
    sending ??= send().finally(() => {
      sending = undefined;
    });
  };

  const hear = (payload: string): void => {
    const envelope = readEnvelope(payload);
    if (!envelope) log.warn({ payload }, 'an announcement could not be read');
    else if (envelope.from !== from) listeners.tell(envelope.announcement);
  };

  let listened = false;
  const { unlisten } = await sql.listen(channel, hear, () => {
    if (listened) listeners.tellGap();
    listened = true;
  });

  return {
    publish: async (announcement) => {
      listeners.tell(announcement);
      for (const part of inParts(announcement)) {
        waiting.push(JSON.stringify({ from, announcement: part }));
      }
      if (waiting.length > waitingAtMost) waiting = waiting.slice(-waitingAtMost);
      flush();
    },
    subscribe: listeners.subscribe,
    close: async () => {
      closed = true;
      listeners.clear();
      await sending;
      await unlisten().catch(() => undefined);
    },
  };
};

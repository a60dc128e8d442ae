import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { type Announcement, announcementSchema } from '#contract/realtime.ts';
import type { Log } from '#server/platform/process/log.ts';
import { type Bus, createListeners } from './bus.ts';

/** This many ids stay below 8,000 bytes, the most that NOTIFY takes (PostgreSQL, sql-notify), with room to spare. */
const idsTogether = 100;
/** Maximum number of payloads queued while the transport is disconnected; beyond it the oldest are dropped. */
const waitingAtMost = 10_000;
const togetherAtMost = 500;
const retryMs = 500;
/** How long closing waits for payloads in flight. */
const farewellMs = 1000;

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

/** One process's side of a bus between processes. The transport that carries the payloads is passed in. */
interface Exchange extends Pick<Bus, 'publish' | 'subscribe'> {
  /** Handles a payload that the transport delivered. */
  hear(payload: string): void;
  /** Reports that payloads may have been missed. */
  tellGap(): void;
  /** Stops delivering; resolves when payloads in flight have been sent, within a second. */
  close(): Promise<void>;
}

/**
 * Creates a bus that delivers to its own process immediately and to the others through `carry`. When `carry` rejects,
 * its payloads are retried and may arrive twice. Payloads published during one call of `carry` go out with the next.
 */
export const createExchange = (carry: (payloads: string[]) => Promise<unknown>, log: Log): Exchange => {
  const from = randomUUID();
  const listeners = createListeners();
  let waiting: string[] = [];
  let sending: Promise<void> | undefined;
  let closed = false;
  let troubled = false;

  const send = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, togetherAtMost);
      try {
        await carry(batch);
        troubled = false;
        // The oldest payloads are dropped when the queue is full, which may include some of these.
        const sent = new Set(batch);
        waiting = waiting.filter((payload) => !sent.has(payload));
      } catch (error) {
        if (closed) return;
        if (!troubled) log.warn({ err: error }, 'announcements to other processes wait');
        troubled = true;
        await delay(retryMs, undefined, { ref: false });
      }
    }
  };

  return {
    publish: async (announcement) => {
      listeners.tell(announcement);
      if (closed) return;
      for (const part of inParts(announcement)) {
        waiting.push(JSON.stringify({ from, announcement: part }));
      }
      if (waiting.length > waitingAtMost) waiting = waiting.slice(-waitingAtMost);
      sending ??= send().finally(() => {
        sending = undefined;
      });
    },
    hear: (payload) => {
      const envelope = readEnvelope(payload);
      if (!envelope) log.warn({ payload }, 'an announcement could not be read');
      else if (envelope.from !== from) listeners.tell(envelope.announcement);
    },
    subscribe: listeners.subscribe,
    tellGap: listeners.tellGap,
    close: async () => {
      closed = true;
      listeners.clear();
      await Promise.race([sending, delay(farewellMs, undefined, { ref: false })]);
    },
  };
};

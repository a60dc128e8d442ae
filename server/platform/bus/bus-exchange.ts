import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { type Announcement, announcementSchema } from '#contract/realtime.ts';
import type { Log } from '#server/platform/process/log.ts';
import { type Bus, createListeners } from './bus.ts';

/** This many ids stay below 8,000 bytes, the most that NOTIFY takes (PostgreSQL, sql-notify), with room to spare. */
const maxIds = 100;
/** Maximum number of payloads queued while the transport is disconnected; beyond it the oldest are dropped. */
const maxQueued = 10_000;
const maxBatch = 500;
const retryMs = 500;
/**
 * Minimum time between two batches. Each costs every process a wake-up, so under load many announcements share one; after
 * a pause an announcement leaves immediately.
 */
const batchIntervalMs = 5;
/** How long closing waits for payloads in flight. */
const closingTimeoutMs = 1000;

const envelopeSchema = z.object({ from: z.string(), announcement: announcementSchema });

const split = (announcement: Announcement): Announcement[] => {
  if (announcement.kind !== 'sessions_ended') return [announcement];
  const parts: Announcement[] = [];
  for (let start = 0; start < announcement.session_ids.length; start += maxIds) {
    parts.push({ ...announcement, session_ids: announcement.session_ids.slice(start, start + maxIds) });
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
  receive(payload: string): void;
  /** Reports that payloads may have been missed. */
  notifyGap(): void;
  /** Stops delivering; resolves when payloads in flight have been sent, within a second. */
  close(): Promise<void>;
}

/**
 * Creates a bus that delivers to its own process immediately and to the others through `transport`. When `transport` rejects,
 * its payloads are retried and may arrive twice. Payloads published during one call of `transport` go out with the next.
 */
export const createExchange = (transport: (payloads: string[]) => Promise<unknown>, log: Log): Exchange => {
  const from = randomUUID();
  /** The beginning of all of this process's own payloads, which come back from the transport. */
  const own = JSON.stringify({ from }).slice(0, -1);
  const listeners = createListeners();
  let queued: string[] = [];
  let sending: Promise<void> | undefined;
  let closed = false;
  let failing = false;

  const send = async (): Promise<void> => {
    while (queued.length > 0) {
      const batch = queued.slice(0, maxBatch);
      try {
        await transport(batch);
        failing = false;
        // The oldest payloads are dropped when the queue is full, which may include some of these.
        const sent = new Set(batch);
        queued = queued.filter((payload) => !sent.has(payload));
        await delay(batchIntervalMs, undefined, { ref: false });
      } catch (error) {
        if (closed) return;
        if (!failing) log.warn({ err: error }, 'announcements to other processes wait');
        failing = true;
        await delay(retryMs, undefined, { ref: false });
      }
    }
  };

  return {
    publish: async (announcement) => {
      listeners.notify(announcement);
      if (closed) return;
      for (const part of split(announcement)) {
        queued.push(JSON.stringify({ from, announcement: part }));
      }
      if (queued.length > maxQueued) queued = queued.slice(-maxQueued);
      sending ??= send().finally(() => {
        sending = undefined;
      });
    },
    receive: (payload) => {
      if (payload.startsWith(own)) return;
      const envelope = readEnvelope(payload);
      if (!envelope) log.warn({ payload }, 'an announcement could not be read');
      else listeners.notify(envelope.announcement);
    },
    subscribe: listeners.subscribe,
    notifyGap: listeners.notifyGap,
    close: async () => {
      closed = true;
      listeners.clear();
      await Promise.race([sending, delay(closingTimeoutMs, undefined, { ref: false })]);
    },
  };
};

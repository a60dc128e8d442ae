import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { type BusMessage, busMessageSchema } from '#contract/realtime.ts';
import type { Log } from '#server/platform/process/log.ts';
import { type Bus, createListenerRegistry } from './bus.ts';

/**
 * Maximum number of session ids in a payload, which keeps it well below 8,000 bytes, the limit of
 * NOTIFY (PostgreSQL documentation, "NOTIFY").
 */
const maxIdsPerPayload = 100;
/**
 * Maximum number of payloads queued while the transport is disconnected; when there are more, the
 * oldest are dropped.
 */
const maxQueuedPayloads = 10_000;
const maxPayloadsPerBatch = 500;
const retryDelayMs = 500;
/**
 * Minimum time between two batches, in ms. Every batch wakes up every process, so under load many bus
 * messages share one batch. When nothing was sent recently, a bus message is sent immediately.
 */
const batchIntervalMs = 5;
/** Maximum time that `close` waits for payloads that are being sent. */
const closingTimeoutMs = 1000;

const envelopeSchema = z.object({ from: z.string(), announcement: busMessageSchema });

const splitAnnouncement = (announcement: BusMessage): BusMessage[] => {
  if (announcement.kind !== 'sessions_ended') return [announcement];
  const parts: BusMessage[] = [];
  for (let start = 0; start < announcement.session_ids.length; start += maxIdsPerPayload) {
    parts.push({
      ...announcement,
      session_ids: announcement.session_ids.slice(start, start + maxIdsPerPayload),
    });
  }
  return parts;
};

const parseEnvelope = (payload: string) => {
  try {
    return envelopeSchema.safeParse(JSON.parse(payload)).data;
  } catch {
    return undefined;
  }
};

/**
 * The bus as one of the connected processes sees it. The caller provides the transport that carries the
 * payloads.
 */
interface CrossProcessBus extends Pick<Bus, 'publish' | 'subscribe'> {
  /** Handles a payload that the transport delivered. */
  receive(payload: string): void;
  /** Notifies subscribers that payloads from other processes may have been missed. */
  notifyGap(): void;
  /**
   * Stops delivering bus messages. Resolves when the payloads being sent have been sent, or after one second.
   */
  close(): Promise<void>;
}

/**
 * Creates a bus that delivers to its own process immediately and to other processes through `transport`. When
 * `transport` rejects, its payloads are sent again and may arrive twice. Payloads published during one call of
 * `transport` are sent with the next call.
 */
export const createCrossProcessBus = (
  transport: (payloads: string[]) => Promise<unknown>,
  log: Log,
): CrossProcessBus => {
  const from = randomUUID();
  /**
   * Beginning of every payload that this process publishes. When the transport delivers such a payload back,
   * this process ignores it.
   */
  const ownPayloadStart = JSON.stringify({ from }).slice(0, -1);
  const listeners = createListenerRegistry();
  let queued: { payload: string }[] = [];
  let sending: Promise<void> | undefined;
  let isClosed = false;
  let isFailing = false;

  const sendQueued = async (): Promise<void> => {
    while (queued.length > 0) {
      const batch = queued.slice(0, maxPayloadsPerBatch);
      try {
        await transport(batch.map(({ payload }) => payload));
        isFailing = false;
        // Remove what was sent by identity. Its position may have changed: if the queue overflowed during the
        // call, it may have dropped part of this batch already. An equal payload may have been added.
        const sent = new Set(batch);
        queued = queued.filter((entry) => !sent.has(entry));
        await delay(batchIntervalMs, undefined, { ref: false });
      } catch (error) {
        if (isClosed) return;
        if (!isFailing) log.warn({ err: error }, 'announcements to other processes wait');
        isFailing = true;
        await delay(retryDelayMs, undefined, { ref: false });
      }
    }
  };

  return {
    publish: async (announcement) => {
      listeners.notify(announcement);
      if (isClosed) return;
      for (const part of splitAnnouncement(announcement)) {
        queued.push({ payload: JSON.stringify({ from, announcement: part }) });
      }
      if (queued.length > maxQueuedPayloads) queued = queued.slice(-maxQueuedPayloads);
      sending ??= sendQueued().finally(() => {
        sending = undefined;
      });
    },
    receive: (payload) => {
      if (payload.startsWith(ownPayloadStart)) return;
      const envelope = parseEnvelope(payload);
      if (!envelope) log.warn({ payload }, 'an announcement could not be read');
      else listeners.notify(envelope.announcement);
    },
    subscribe: listeners.subscribe,
    notifyGap: listeners.notifyGap,
    close: async () => {
      isClosed = true;
      listeners.clear();
      await Promise.race([sending, delay(closingTimeoutMs, undefined, { ref: false })]);
    },
  };
};

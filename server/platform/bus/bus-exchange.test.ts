import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { silentLog } from '#server/platform/process/log.ts';
import { createCrossProcessBus } from './bus-exchange.ts';

const createAnnouncement = (seq: number) =>
  ({ kind: 'message', conversation_id: randomUUID(), seq }) as const;

test('sends the first announcement immediately and batches those that closely follow it', async () => {
  const batchSizes: number[] = [];
  const bus = createCrossProcessBus(async (payloads) => batchSizes.push(payloads.length), silentLog);
  for (const seq of [1, 2, 3, 4]) void bus.publish(createAnnouncement(seq));
  expect(batchSizes).toEqual([1]);
  await expect.poll(() => batchSizes).toEqual([1, 3]);
  await bus.close();
});

test('sends an announcement twice if it is published again while it is being sent', async () => {
  const sent: string[] = [];
  const firstCall = Promise.withResolvers<void>();
  const bus = createCrossProcessBus(async (payloads) => {
    sent.push(...payloads);
    if (sent.length === 1) await firstCall.promise;
  }, silentLog);
  const announcement = createAnnouncement(1);
  await bus.publish(announcement);
  await bus.publish(announcement);
  firstCall.resolve();
  await expect.poll(() => sent).toHaveLength(2);
  await bus.close();
});

test('skips its own announcements, which the transport delivers back', async () => {
  const sent: string[] = [];
  const bus = createCrossProcessBus(async (payloads) => sent.push(...payloads), silentLog);
  const otherBus = createCrossProcessBus(async () => {}, silentLog);
  const [seen, seenByOther] = [vi.fn(), vi.fn()];
  bus.subscribe(seen, () => {});
  otherBus.subscribe(seenByOther, () => {});
  await bus.publish(createAnnouncement(1));
  for (const payload of sent) {
    bus.receive(payload);
    otherBus.receive(payload);
  }
  await expect.poll(() => seenByOther).toHaveBeenCalledOnce();
  expect(seen).toHaveBeenCalledOnce();
  await Promise.all([bus.close(), otherBus.close()]);
});

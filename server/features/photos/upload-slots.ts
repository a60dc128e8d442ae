import { createProblem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { acquireUploadSlot, releaseUploadSlot, renewUploadSlot, type UploadSlot } from './repository.ts';

/** Maximum number of concurrent uploads per person, in all processes of all hosts together. */
const maxConcurrentUploads = 4;
/**
 * Duration of the lease of an upload slot, in seconds. When the lease ends, the slot is free even if the
 * process or host that acquired it has died.
 */
const slotLeaseSeconds = 45;

/**
 * Runs an upload while holding one of the person's slots, whose lease is renewed until the upload ends. Throws
 * `uploads_busy` when all slots are taken.
 */
export const runInUploadSlot = async <Result>(
  { sql, clock, uploadTiming }: App,
  userId: string,
  upload: () => Promise<Result>,
): Promise<Result> => {
  const getLeaseEnd = () => addSeconds(clock.now(), slotLeaseSeconds);
  const now = clock.now();
  const acquired = await acquireUploadSlot(sql, {
    userId,
    slots: maxConcurrentUploads,
    now,
    until: getLeaseEnd(),
  });
  if (!acquired) throw createProblem('uploads_busy', { retryAfter: 5 });
  let slot: UploadSlot | undefined = acquired;
  let renewing = Promise.resolve();
  const renew = async (): Promise<void> => {
    // Keep the slot when a renewal fails, so that the next renewal tries again. Give it up when its lease has
    // ended, because another upload may hold the slot by then.
    if (slot) slot = await renewUploadSlot(sql, slot, getLeaseEnd()).catch(() => slot);
  };
  const timer = setInterval(() => {
    renewing = renewing.then(renew);
  }, uploadTiming.slotRenewalMs);
  timer.unref();
  try {
    return await upload();
  } finally {
    clearInterval(timer);
    await renewing;
    // A slot that cannot be released now becomes free when its lease ends; the result of the upload does not change.
    if (slot) await releaseUploadSlot(sql, slot).catch(() => undefined);
  }
};

import type { UploadTimeouts } from '#server/platform/files/receive-upload.ts';

/** How long uploads may take, and how often they renew their slots, in milliseconds. */
export interface UploadTiming {
  timeouts: UploadTimeouts;
  /** How often the slot of an upload in progress is renewed. */
  slotRenewalMs: number;
}

export const defaultUploadTiming: UploadTiming = {
  timeouts: { idle: 15_000, total: 55_000 },
  slotRenewalMs: 15_000,
};

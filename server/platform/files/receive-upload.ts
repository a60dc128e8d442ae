import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ownerOnlyFile } from '#server/platform/files/owner-only.ts';

/** Timeouts of an upload in milliseconds: between two chunks, and in total. */
export interface UploadTimeouts {
  idle: number;
  total: number;
}

/** The outcome of an upload; `stopped` says why it was not received completely, `bytes` counts what arrived. */
export type Received =
  | { bytes: number; stopped?: never }
  | { bytes: number; stopped: 'too_large' | 'too_slow' | 'broken_off' };

/**
 * Writes an upload to a local file, up to `limit` bytes.
 * Throws on disk errors (full: code ENOSPC); failures of the sender are returned as `stopped`.
 */
export const receive = async (
  source: Readable,
  target: string,
  { limit, timeouts, signal }: { limit: number; timeouts: UploadTimeouts; signal: AbortSignal },
): Promise<Received> => {
  let bytes = 0;
  const idle = new AbortController();
  const timer = setTimeout(() => idle.abort(), timeouts.idle);
  const tooLarge = new Error('too large');
  try {
    await pipeline(
      source,
      async function* (pieces: AsyncIterable<Buffer>) {
        for await (const piece of pieces) {
          timer.refresh();
          bytes += piece.length;
          if (bytes > limit) throw tooLarge;
          yield piece;
        }
      },
      createWriteStream(target, { flags: 'wx', mode: ownerOnlyFile }),
      { signal: AbortSignal.any([idle.signal, signal]) },
    );
    return { bytes };
  } catch (error) {
    if (error === tooLarge) return { bytes, stopped: 'too_large' };
    if (idle.signal.aborted || signal.aborted) return { bytes, stopped: 'too_slow' };
    // On the sender's side only reads can fail; any other failed system call concerns the disk.
    if (error instanceof Error && 'syscall' in error && error.syscall !== 'read') throw error;
    return { bytes, stopped: 'broken_off' };
  } finally {
    clearTimeout(timer);
  }
};

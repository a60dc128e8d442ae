import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ownerOnlyFile } from '#server/platform/owner-only.ts';

/** How long an upload may take, in milliseconds: between two pieces, and in all. */
export interface UploadTimeouts {
  idle: number;
  total: number;
}

/** An upload that was not received whole; `bytes` counts those seen. */
export type Received =
  | { bytes: number; stopped?: never }
  | { bytes: number; stopped: 'too_large' | 'too_slow' | 'broken_off' };

/**
 * Writes an upload to a local file, at most `limit` bytes of it.
 * Errors of the disk are thrown (full: code ENOSPC); everything the sender does is an answer.
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
    // The sender's side only ever reads: any other system call that failed was the disk's.
    if (error instanceof Error && 'syscall' in error && error.syscall !== 'read') throw error;
    return { bytes, stopped: 'broken_off' };
  } finally {
    clearTimeout(timer);
  }
};

import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ownerOnlyFileMode } from '#server/platform/files/owner-only.ts';

/** Timeouts of an upload in milliseconds: between two chunks, and in total. */
export interface UploadTimeouts {
  idle: number;
  total: number;
}

/** The outcome of an upload: the number of bytes received and, when it is incomplete, the reason in `stopped`. */
export type UploadOutcome =
  | { bytes: number; stopped?: never }
  | { bytes: number; stopped: 'too_large' | 'too_slow' | 'broken_off' };

/**
 * Writes an upload to a local file, up to `limit` bytes.
 * Throws on disk errors (code ENOSPC when the disk is full); returns failures of the sender as `stopped`.
 */
export const receiveUpload = async (
  source: Readable,
  target: string,
  { limit, timeouts, signal }: { limit: number; timeouts: UploadTimeouts; signal: AbortSignal },
): Promise<UploadOutcome> => {
  let bytes = 0;
  const idle = new AbortController();
  const timer = setTimeout(() => idle.abort(), timeouts.idle);
  const tooLarge = new Error('too large');
  try {
    await pipeline(
      source,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          timer.refresh();
          bytes += chunk.length;
          if (bytes > limit) throw tooLarge;
          yield chunk;
        }
      },
      createWriteStream(target, { flags: 'wx', mode: ownerOnlyFileMode }),
      { signal: AbortSignal.any([idle.signal, signal]) },
    );
    return { bytes };
  } catch (error) {
    if (error === tooLarge) return { bytes, stopped: 'too_large' };
    if (idle.signal.aborted || signal.aborted) return { bytes, stopped: 'too_slow' };
    // Reading the upload uses only read system calls, so any other failed system call is a disk error.
    if (error instanceof Error && 'syscall' in error && error.syscall !== 'read') throw error;
    return { bytes, stopped: 'broken_off' };
  } finally {
    clearTimeout(timer);
  }
};

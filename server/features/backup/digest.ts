import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Creates a pass-through stream that counts the bytes and lines and computes the SHA-256 of the
 * bytes.
 */
export const createDigestStream = () => {
  const hash = createHash('sha256');
  const seen = { bytes: 0, lines: 0 };
  const stream = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk);
      seen.bytes += chunk.length;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) seen.lines += 1;
      done(null, chunk);
    },
  });
  return { stream, seen, sha256: () => hash.digest('hex') };
};

/** Returns the SHA-256 of a file on disk in hexadecimal, or undefined when it cannot be read. */
export const computeFileDigest = async (path: string): Promise<string | undefined> => {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), hash);
  } catch {
    return undefined;
  }
  return hash.digest('hex');
};

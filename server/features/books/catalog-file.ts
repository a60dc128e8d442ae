import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

const sampleBytes = 64 * 1024;
const chunkBytes = 1024 * 1024;

/** A catalog, whose lines may be compressed (`.gz`). */
export interface CatalogFile {
  path: string;
  /** Size in bytes, as stored. */
  size: number;
  /** Hash of size, time of the last change, beginning and end. */
  hash: string;
}

const readSample = async (file: FileHandle, position: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(sampleBytes), 0, sampleBytes, position);
  return buffer.subarray(0, bytesRead);
};

/** Identifies a file, so that its import continues only when the file is the same. Throws when it cannot be read. */
export const inspectCatalogFile = async (path: string): Promise<CatalogFile> => {
  const { size, mtimeMs } = await stat(path);
  const file = await open(path);
  try {
    const hash = createHash('sha256').update(`${size} ${mtimeMs}\n`);
    hash.update(await readSample(file, 0)).update(await readSample(file, Math.max(0, size - sampleBytes)));
    return { path, size, hash: hash.digest('hex') };
  } finally {
    await file.close();
  }
};

async function* skipBytes(chunks: Readable, count: number): AsyncGenerator<Buffer> {
  let remaining = count;
  for await (const chunk of chunks) {
    if (remaining >= chunk.length) remaining -= chunk.length;
    else {
      yield remaining > 0 ? chunk.subarray(remaining) : chunk;
      remaining = 0;
    }
  }
}

/**
 * Reads the content of a catalog from a position. `readBytes` returns how many bytes of the stored file were read so far.
 */
export const readCatalogFile = (
  { path }: CatalogFile,
  position: number,
): { chunks: AsyncIterable<Buffer>; readBytes: () => number } => {
  if (!path.endsWith('.gz')) {
    const source = createReadStream(path, { start: position, highWaterMark: chunkBytes });
    return { chunks: source, readBytes: () => position + source.bytesRead };
  }
  // A compressed file has to be read from its beginning.
  const source = createReadStream(path, { highWaterMark: chunkBytes });
  const content = source.pipe(createGunzip({ chunkSize: chunkBytes }));
  source.on('error', (error) => content.destroy(error));
  content.on('close', () => source.destroy());
  return { chunks: skipBytes(content, position), readBytes: () => source.bytesRead };
};

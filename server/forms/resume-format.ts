import { open, readFile } from 'node:fs/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import type { ResumeEnding } from '#contract/form-choices.ts';
import { readCompoundStream } from '#server/platform/files/compound-file.ts';

/** Limits for reading a package; real documents stay far below. */
const maxParts = 2000;
const contentTypesBytes = 256 * 1024;
const documentStartBytes = 64 * 1024;

const wordDocument = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';

/** Reads the beginning of a part without unpacking more, whatever size the part claims. */
const readPart = async (zip: ZipFile, entry: Entry, limit: number): Promise<string> => {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of await zip.openReadStreamPromise(entry)) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes >= limit) break;
  }
  return Buffer.concat(pieces).toString('utf8', 0, limit);
};

const attributeOf = (element: string, name: string): string | undefined =>
  new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(element)?.[1];

/** Returns the path of the Word document in a package, usually word/document.xml. */
const mainPartOf = (contentTypes: string): string | undefined => {
  for (const [element] of contentTypes.matchAll(/<(?:\w+:)?Override\s[^>]*>/g)) {
    if (attributeOf(element, 'ContentType') === wordDocument)
      return attributeOf(element, 'PartName')?.slice(1);
  }
  return undefined;
};

const listParts = async (zip: ZipFile): Promise<Map<string, Entry> | undefined> => {
  if (zip.entryCount > maxParts) return undefined;
  const parts = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    // Programs disagree about which of two parts with the same name counts.
    if (parts.has(entry.fileName)) return undefined;
    parts.set(entry.fileName, entry);
  }
  return parts;
};

const isWordPackage = async (path: string): Promise<boolean> => {
  const zip = await openPromise(path, { autoClose: false, lazyEntries: true, strictFileNames: true });
  try {
    const parts = await listParts(zip);
    const types = parts?.get('[Content_Types].xml');
    if (!types || types.uncompressedSize > contentTypesBytes) return false;
    const main = parts?.get(mainPartOf(await readPart(zip, types, contentTypesBytes)) ?? '');
    return !!main && /<(\w+:)?document[\s>]/.test(await readPart(zip, main, documentStartBytes));
  } finally {
    zip.close();
  }
};

/** Begins the stream WordDocument of every binary Word file ([MS-DOC], 2.5.1). */
const wordMark = 0xa5ec;

const isWordFile = async (path: string): Promise<boolean> =>
  readCompoundStream(await readFile(path), 'WordDocument', 2)?.readUInt16LE(0) === wordMark;

const readEnds = async (path: string, length: number): Promise<{ head: string; tail: string }> => {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const read = async (position: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
      return buffer.toString('latin1', 0, bytesRead);
    };
    return { head: await read(0), tail: await read(Math.max(0, size - length)) };
  } finally {
    await file.close();
  }
};

const checks: Record<ResumeEnding, (path: string, head: string, tail: string) => boolean | Promise<boolean>> =
  {
    '.pdf': (_path, head, tail) => /^%PDF-\d\.\d/.test(head) && /startxref\s+\d+\s+%%EOF/.test(tail),
    '.doc': isWordFile,
    // A package that begins with other data is two files in one.
    '.docx': (path, head) => head.startsWith('PK\x03\x04') && isWordPackage(path),
  };

const isOfDisk = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

/**
 * Returns whether a file has the format of its extension: a PDF, a binary Word file, or an OOXML package with a Word
 * document. Reads a limited part of it. Throws only disk errors.
 */
export const hasResumeFormat = async (path: string, ending: ResumeEnding): Promise<boolean> => {
  const { head, tail } = await readEnds(path, 2048);
  try {
    return await checks[ending](path, head, tail);
  } catch (error) {
    if (isOfDisk(error)) throw error;
    return false;
  }
};

import { open, readFile } from 'node:fs/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import type { ResumeFileExtension } from '#contract/form-choices.ts';
import { readCompoundFileStream } from '#server/platform/files/compound-file.ts';

/** Limits for reading a .docx package (a ZIP file); real documents are far smaller. */
const maxPartCount = 2000;
const maxContentTypesBytes = 256 * 1024;
const maxDocumentStartBytes = 64 * 1024;
/**
 * Maximum ratio of the unpacked size of a package to its file size. Packages that unpack to at most
 * `maxExemptUnpackedBytes` are exempt, because a blank picture in a short document can have a higher ratio.
 */
const maxExpansionRatio = 100;
const maxExemptUnpackedBytes = 50 * 1024 * 1024;

const wordDocumentContentType =
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';

/**
 * Reads the beginning of a ZIP entry. Unpacks at most `limit` bytes, whatever size the entry claims
 * to have.
 */
const readEntryStart = async (zip: ZipFile, entry: Entry, limit: number): Promise<string> => {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of await zip.openReadStreamPromise(entry)) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes >= limit) break;
  }
  return Buffer.concat(pieces).toString('utf8', 0, limit);
};

/** Returns the path of the Word document in a .docx package, usually word/document.xml. */
const findDocumentPart = (contentTypes: string): string | undefined => {
  for (const [element] of contentTypes.matchAll(/<(?:\w+:)?Override\s[^<>]*>/g)) {
    if (/\sContentType\s*=\s*["']([^"']*)["']/.exec(element)?.[1] === wordDocumentContentType)
      return /\sPartName\s*=\s*["']([^"']*)["']/.exec(element)?.[1]?.slice(1);
  }
  return undefined;
};

const isZipBomb = (zip: ZipFile, parts: Iterable<Entry>): boolean => {
  let unpackedBytes = 0;
  for (const { uncompressedSize } of parts) unpackedBytes += uncompressedSize;
  return unpackedBytes > maxExemptUnpackedBytes && unpackedBytes > zip.fileSize * maxExpansionRatio;
};

const listZipParts = async (zip: ZipFile): Promise<Map<string, Entry> | undefined> => {
  if (zip.entryCount > maxPartCount) return undefined;
  const parts = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    // Reject duplicate names: programs disagree about which of the two parts is valid.
    if (parts.has(entry.fileName)) return undefined;
    parts.set(entry.fileName, entry);
  }
  return isZipBomb(zip, parts.values()) ? undefined : parts;
};

const isDocxFile = async (path: string): Promise<boolean> => {
  const zip = await openPromise(path, { autoClose: false, lazyEntries: true, strictFileNames: true });
  try {
    const parts = await listZipParts(zip);
    const types = parts?.get('[Content_Types].xml');
    if (!types || types.uncompressedSize > maxContentTypesBytes) return false;
    const main = parts?.get(findDocumentPart(await readEntryStart(zip, types, maxContentTypesBytes)) ?? '');
    return !!main && /<(\w+:)?document[\s>]/.test(await readEntryStart(zip, main, maxDocumentStartBytes));
  } finally {
    zip.close();
  }
};

/** Magic number at the start of the WordDocument stream of every binary Word file ([MS-DOC], 2.5.1). */
const wordMagicNumber = 0xa5ec;

const isDocFile = async (path: string): Promise<boolean> =>
  readCompoundFileStream(await readFile(path), 'WordDocument', 2)?.readUInt16LE(0) === wordMagicNumber;

const readHeadAndTail = async (path: string, length: number): Promise<{ head: string; tail: string }> => {
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

const formatChecksByExtension: Record<
  ResumeFileExtension,
  (path: string, head: string, tail: string) => boolean | Promise<boolean>
> = {
  '.pdf': (_path, head, tail) => /^%PDF-\d\.\d/.test(head) && /startxref\s+\d+\s+%%EOF/.test(tail),
  '.doc': isDocFile,
  // Require the ZIP signature at the start: a file with other data before it could also be valid in
  // another format.
  '.docx': (path, head) => head.startsWith('PK\x03\x04') && isDocxFile(path),
};

const isDiskError = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

/**
 * Returns whether a file has the format of its extension: a PDF, a binary Word file, or an OOXML package with a Word
 * document. Reads only limited parts of the file. Throws only disk errors.
 */
export const hasResumeFormat = async (path: string, ending: ResumeFileExtension): Promise<boolean> => {
  const { head, tail } = await readHeadAndTail(path, 2048);
  try {
    return await formatChecksByExtension[ending](path, head, tail);
  } catch (error) {
    if (isDiskError(error)) throw error;
    return false;
  }
};

import { open, readFile } from 'node:fs/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import type { ResumeEnding } from '#contract/form-choices.ts';
import { readCompoundStream } from '#server/platform/files/compound-file.ts';

/** Limits for reading a .docx package (a ZIP file); real documents are far smaller. */
const maxPartCount = 2000;
const maxContentTypesBytes = 256 * 1024;
const maxDocumentStartBytes = 64 * 1024;

const wordDocumentType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';

/** Reads the beginning of a part and unpacks no more than `limit` bytes, whatever size the part claims to have. */
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

const findAttribute = (element: string, name: string): string | undefined =>
  new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(element)?.[1];

/** Returns the path of the Word document in a .docx package, usually word/document.xml. */
const findMainPart = (contentTypes: string): string | undefined => {
  for (const [element] of contentTypes.matchAll(/<(?:\w+:)?Override\s[^>]*>/g)) {
    if (findAttribute(element, 'ContentType') === wordDocumentType)
      return findAttribute(element, 'PartName')?.slice(1);
  }
  return undefined;
};

const listParts = async (zip: ZipFile): Promise<Map<string, Entry> | undefined> => {
  if (zip.entryCount > maxPartCount) return undefined;
  const parts = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    // Programs disagree about which of two parts with the same name is valid.
    if (parts.has(entry.fileName)) return undefined;
    parts.set(entry.fileName, entry);
  }
  return parts;
};

const isDocxFile = async (path: string): Promise<boolean> => {
  const zip = await openPromise(path, { autoClose: false, lazyEntries: true, strictFileNames: true });
  try {
    const parts = await listParts(zip);
    const types = parts?.get('[Content_Types].xml');
    if (!types || types.uncompressedSize > maxContentTypesBytes) return false;
    const main = parts?.get(findMainPart(await readPart(zip, types, maxContentTypesBytes)) ?? '');
    return !!main && /<(\w+:)?document[\s>]/.test(await readPart(zip, main, maxDocumentStartBytes));
  } finally {
    zip.close();
  }
};

/** Magic number at the start of the WordDocument stream of every binary Word file ([MS-DOC], 2.5.1). */
const wordMagicNumber = 0xa5ec;

const isDocFile = async (path: string): Promise<boolean> =>
  readCompoundStream(await readFile(path), 'WordDocument', 2)?.readUInt16LE(0) === wordMagicNumber;

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

const formatChecks: Record<
  ResumeEnding,
  (path: string, head: string, tail: string) => boolean | Promise<boolean>
> = {
  '.pdf': (_path, head, tail) => /^%PDF-\d\.\d/.test(head) && /startxref\s+\d+\s+%%EOF/.test(tail),
  '.doc': isDocFile,
  // A ZIP file that begins with other data could be read as a file of another format too.
  '.docx': (path, head) => head.startsWith('PK\x03\x04') && isDocxFile(path),
};

const isDiskError = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

/**
 * Returns whether a file has the format of its extension: a PDF, a binary Word file, or an OOXML package with a Word
 * document. Reads only limited parts of the file. Throws only disk errors.
 */
export const hasResumeFormat = async (path: string, ending: ResumeEnding): Promise<boolean> => {
  const { head, tail } = await readHeadAndTail(path, 2048);
  try {
    return await formatChecks[ending](path, head, tail);
  } catch (error) {
    if (isDiskError(error)) throw error;
    return false;
  }
};

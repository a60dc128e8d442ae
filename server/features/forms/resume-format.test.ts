import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDocFile, createDocxParts, createPdf, createZip } from '#server/testing/resumes.ts';
import { hasResumeFormat } from './resume-format.ts';

let testFolder: string;
beforeAll(async () => {
  testFolder = await mkdtemp(join(tmpdir(), 'quad-resumes-'));
});
afterAll(() => rm(testFolder, { recursive: true }));

const checkResume = async (ending: '.pdf' | '.doc' | '.docx', bytes: Uint8Array): Promise<boolean> => {
  const path = join(testFolder, 'resume');
  await writeFile(path, bytes);
  return hasResumeFormat(path, ending);
};

const createZipPart = (name: string, content: string | Buffer = 'x', claimed?: number) => ({
  name,
  content,
  ...(claimed === undefined ? {} : { claimed }),
});
const [types, body] = createDocxParts();
if (!types || !body) throw new Error('a document has two parts');
const macroDocumentType = 'application/vnd.ms-word.document.macroEnabled.main+xml';
const spreadsheetContentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml';

describe('a .docx', () => {
  test('must be an OOXML package whose content types name a Word document that it contains', async () => {
    expect(await checkResume('.docx', createZip(createDocxParts()))).toBe(true);
    // Word Online numbers its part names, as in word/document2.xml.
    expect(await checkResume('.docx', createZip(createDocxParts('word/document2.xml')))).toBe(true);
    expect(
      await checkResume('.docx', createZip([...createDocxParts(), createZipPart('word/media/photo.png')])),
    ).toBe(true);
  });

  test.each([
    ['four bytes of a ZIP', Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(100)])],
    ['a ZIP of something else', createZip([createZipPart('index.html', '<script></script>')])],
    ['content types without the document', createZip([types])],
    ['the document without content types', createZip([body])],
    ['a spreadsheet', createZip(createDocxParts('xl/workbook.xml', spreadsheetContentType))],
    ['a document with macros', createZip(createDocxParts('word/document.xml', macroDocumentType))],
    ['a document without a root element', createZip([types, createZipPart(body.name, '<html></html>')])],
    ['an empty document', createZip([types, createZipPart(body.name, '')])],
    [
      'a package after something else',
      Buffer.concat([Buffer.from('%PDF-1.7\n'), createZip(createDocxParts())]),
    ],
    ['content types of 50 MB', createZip([createZipPart(types.name, Buffer.alloc(50_000_000)), body])],
    [
      'content types of 50 MB that claim 100 bytes',
      createZip([createZipPart(types.name, Buffer.alloc(50_000_000), 100), body]),
    ],
    [
      'thousands of parts',
      createZip([...createDocxParts(), ...Array.from({ length: 5000 }, (_, n) => createZipPart(`${n}`))]),
    ],
    [
      'a package that unpacks to more than 50 MB and a hundred times its size',
      createZip([...createDocxParts(), createZipPart('word/media/blank.bmp', Buffer.alloc(60_000_000))]),
    ],
    ['a name twice', createZip([...createDocxParts(), types])],
    [
      'a name that leaves the package',
      createZip([...createDocxParts(), createZipPart('../../../etc/passwd')]),
    ],
    ['a truncated package', createZip(createDocxParts()).slice(0, -30)],
    ['a damaged document', corruptDocument(createZip(createDocxParts()))],
  ])('is not %s', async (_what, bytes) => {
    expect(await checkResume('.docx', bytes)).toBe(false);
  });

  test('may contain text that unpacks to 50 MB, of which only the beginning is read', async () => {
    const long = Buffer.concat([Buffer.from(String(body.content)), Buffer.alloc(50_000_000, ' ')]);
    expect(await checkResume('.docx', createZip([types, createZipPart(body.name, long)]))).toBe(true);
  });
});

function corruptDocument(bytes: Uint8Array): Uint8Array {
  const at = Buffer.from(bytes).indexOf('word/document.xml', 100);
  return Uint8Array.from(bytes).fill(0xff, at + 17, at + 37);
}

describe('a .doc', () => {
  test('must be a compound file that contains the stream of a Word document', async () => {
    expect(await checkResume('.doc', createDocFile())).toBe(true);
  });

  const at = (sector: number, offset: number) => (sector + 1) * 512 + offset;
  test.each([
    ['four bytes of a compound file', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0)],
    ['eight bytes and nothing', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2000)])],
    ['a spreadsheet', createDocFile({ stream: 'Workbook' })],
    ['a stream that only has the name', createDocFile({ mark: 0x4d5a })],
    ['a directory outside the file', createDocFile({ spoil: (file) => file.writeUInt32LE(5000, 48) })],
    [
      'a stream outside the file',
      createDocFile({ spoil: (file) => file.writeUInt32LE(5000, at(1, 128 + 116)) }),
    ],
    [
      'a stream longer than the file',
      createDocFile({ spoil: (file) => file.writeUInt32LE(1e9, at(1, 128 + 120)) }),
    ],
    ['a storage of that name', createDocFile({ spoil: (file) => file.writeUInt8(1, at(1, 128 + 66)) })],
    [
      'a stream that the root does not name',
      createDocFile({ spoil: (file) => file.writeUInt32LE(0xffffffff, at(1, 76)) }),
    ],
    ['sectors of 2 GB', createDocFile({ spoil: (file) => file.writeUInt16LE(31, 30) })],
    ['a file cut off', createDocFile().slice(0, 1000)],
  ])('is not %s', async (_what, bytes) => {
    expect(await checkResume('.doc', bytes)).toBe(false);
  });

  test.each([
    [
      'a directory whose sectors form a cycle',
      createDocFile({ stream: 'Other', spoil: (file) => file.writeUInt32LE(1, at(0, 4)) }),
    ],
    [
      'entries that name each other',
      createDocFile({
        stream: 'Other',
        spoil: (file) => {
          file.writeUInt32LE(1, at(1, 128 + 68));
          file.writeUInt32LE(0, at(1, 128 + 72));
        },
      }),
    ],
  ])('with %s is refused without an endless loop', async (_what, bytes) => {
    expect(await checkResume('.doc', bytes)).toBe(false);
  });
});

describe('a .pdf', () => {
  test('must begin with its version and end with its cross-reference offset', async () => {
    expect(await checkResume('.pdf', createPdf())).toBe(true);
    expect(await checkResume('.pdf', Buffer.concat([createPdf(), Buffer.alloc(500)]))).toBe(true);
    expect(await checkResume('.pdf', Buffer.from('%PDF-1.7\nx'))).toBe(false);
    expect(await checkResume('.pdf', Buffer.concat([Buffer.from('x'), createPdf()]))).toBe(false);
    expect(await checkResume('.pdf', Buffer.from('%PDF-\nstartxref\n9\n%%EOF'))).toBe(false);
    expect(await checkResume('.pdf', new Uint8Array(0))).toBe(false);
  });
});

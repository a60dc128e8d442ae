import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { maxResumeBytes } from '#contract/form-choices.ts';
import { jobApplicationPath } from '#contract/forms.ts';
import { maxPhotoBytes } from '#contract/photos.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createDocFile, createDocxParts, createPdf, createZip } from '#server/testing/resumes.ts';
import { createWorstCaseText, measureUrlLength, worstCaseUnits } from '#server/testing/worst-case-texts.ts';

/**
 * Maximum CPU time of the server's thread per upload, in ms. CPU time does not depend on how busy the machine is, and
 * it is at least the time for which the upload blocks other requests.
 */
const maxCpuMs = 400;

let testApp: TestApp;
let person: Person;
beforeAll(async () => {
  testApp = await startTestApp();
  person = await testApp.signIn();
});
afterAll(() => testApp.close());

/** Sends a form with a file, and expects that it takes little CPU time. Returns the status of the response. */
const expectQuickUpload = async (
  url: string,
  fields: Record<string, string>,
  file: { field: string; name: string; bytes: Uint8Array },
): Promise<number> => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append(file.field, new Blob([Uint8Array.from(file.bytes)]), file.name);
  const encoded = new Response(form);
  const payload = Buffer.from(await encoded.arrayBuffer());
  const headers = { ...person.headers, 'content-type': encoded.headers.get('content-type') ?? '' };
  const before = process.threadCpuUsage();
  const { statusCode } = await testApp.server.inject({ method: 'POST', url, headers, payload });
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1000, 'CPU time in ms').toBeLessThan(maxCpuMs);
  return statusCode;
};

const application = { opening: 'Product Designer', name: 'Ada Trojan', email: 'ada@usc.edu' };
const sendResume = (name: string, bytes: Uint8Array, fields: Record<string, string> = application) =>
  expectQuickUpload(jobApplicationPath, fields, { field: 'resume', name, bytes });
const sendPhoto = (name: string, bytes: Uint8Array) =>
  expectQuickUpload('/storage/v1/object/listing-photos', {}, { field: 'file', name, bytes });

const [types = { name: '', content: '' }, body = { name: '', content: '' }] = createDocxParts();
const maxContentTypesLength = 256 * 1024;
const createResumeWithTypes = (text: string) => createZip([{ name: types.name, content: text }, body]);
const createResumeWithBody = (text: string) => createZip([types, { name: body.name, content: text }]);
const fill = (unit: string, length = maxContentTypesLength) => unit.repeat(Math.floor(length / unit.length));

/** Returns a PDF of the maximum size whose end consists of a repeated text. */
const createPdfEndingIn = (unit: string): Uint8Array => {
  const pdf = Buffer.from(createPdf(maxResumeBytes));
  pdf.fill(unit, pdf.length - 2048);
  return pdf;
};

describe('no resume blocks the server', () => {
  test.each([
    '<Override ',
    '<a:Override ',
    '<aaaa',
    '<Override ContentType= ',
    '<Override PartName="',
    '>',
    ' ',
  ])('with content types that consist of %j', async (unit) => {
    expect(await sendResume('cv.docx', createResumeWithTypes(fill(unit)))).toBe(415);
  });

  test.each(['<', '<a', '<a:', '<document', '<a:documen '])(
    'with a document that consists of %j',
    async (unit) => {
      expect(await sendResume('cv.docx', createResumeWithBody(fill(unit)))).toBe(415);
    },
  );

  test('with as many parts as a package may have', async () => {
    const parts = Array.from({ length: 1998 }, (_, index) => ({ name: `word/${index}`, content: 'x' }));
    expect(await sendResume('cv.docx', createZip([types, body, ...parts]))).toBe(200);
  });

  test('with a part that expands by a factor of a thousand', async () => {
    const bomb = { name: 'word/media/blank.bmp', content: Buffer.alloc(500_000_000) };
    expect(await sendResume('cv.docx', createZip([types, body, bomb]))).toBe(415);
  });

  test.each(['startxref', 'startxref ', 'startxref 1', ' ', '1', '%%EOF'])(
    'as a PDF that ends in repeated %j',
    async (unit) => {
      expect(await sendResume('cv.pdf', createPdfEndingIn(unit))).toBe(415);
    },
  );

  test('as a compound file of the maximum size whose directory fills it', async () => {
    const start = createDocFile({ stream: 'Other' });
    const file = Buffer.concat([start, Buffer.alloc(maxResumeBytes - start.length, 0xff)]);
    // A single chain leads through all sectors that the first FAT sector describes.
    for (let sector = 1; sector < 127; sector += 1) file.writeUInt32LE(sector + 1, 512 + sector * 4);
    expect(await sendResume('cv.doc', file)).toBe(415);
  });
});

describe('no photo blocks the server', () => {
  test('with the maximum number of pixels in a small file', async () => {
    const pixels = { width: 10_000, height: 5000, channels: 3, background: '#ffffff' } as const;
    const bytes = await sharp({ create: pixels }).png({ compressionLevel: 9 }).toBuffer();
    expect(await sendPhoto('desk.png', bytes)).toBe(200);
  });

  test('with the maximum number of bytes after a valid start', async () => {
    const bytes = Buffer.alloc(maxPhotoBytes, 0xff);
    bytes.set([0xff, 0xd8, 0xff, 0xe0]);
    expect(await sendPhoto('desk.jpg', bytes)).toBe(422);
  });
});

test.each(Object.keys(worstCaseUnits))(
  'no form with a file blocks the server by its texts: %s',
  async (kind) => {
    const text = createWorstCaseText(kind, 1000);
    for (const field of [...Object.keys(application), 'client_id']) {
      await sendResume('cv.pdf', createPdf(), { ...application, [field]: text });
    }
    const name = createWorstCaseText(kind, 8000, measureUrlLength);
    await sendResume(`${name}.pdf`, createPdf());
    await sendPhoto(`${name}.jpg`, Buffer.from('no photo'));
  },
);

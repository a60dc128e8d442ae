import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { maxResumeBytes } from '#contract/form-choices.ts';
import type { App } from '#server/app.ts';
import type { Mailer, MailOf } from '#server/mail/mailer.ts';
import { createDiskFileStore, type FileStore } from '#server/platform/files/files.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { createDocFile, createDocxParts, createPdf, createZip } from '#server/testing/resumes.ts';
import { receiveResume } from './resumes.ts';
import { submitApplication, submitConcernReport } from './submissions.ts';

let testApp: TestApp;
let dataDir: string;
let files: FileStore;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'quad-forms-'));
  files = createDiskFileStore({ root: join(dataDir, 'files') });
  testApp = await startTestApp({ environment: { QUAD_DATA_DIR: dataDir }, replace: { files } });
});
afterAll(async () => {
  await testApp.close();
  await rm(dataDir, { recursive: true, force: true });
});

const sendForm = (form: string, payload: object, headers: Record<string, string> = {}) =>
  testApp.server.inject({ method: 'POST', url: `/rest/v1/forms/${form}`, payload, headers });

const sendApplication = async (
  fields: Record<string, string>,
  resume?: { name: string; bytes: Uint8Array<ArrayBuffer> },
) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (resume) form.append('resume', new Blob([resume.bytes]), resume.name);
  const encoded = new Response(form);
  return testApp.server.inject({
    method: 'POST',
    url: '/rest/v1/forms/application',
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    payload: Buffer.from(await encoded.arrayBuffer()),
  });
};

const createAppWithMail = (send: Mailer['send'], members: Partial<App> = {}): App => ({
  ...testApp.app,
  mail: { ...testApp.app.mail, send },
  ...members,
});

const receiveTestResume = (bytes: Uint8Array) =>
  receiveResume(testApp.app, {
    filename: 'cv.pdf',
    content: Readable.from([bytes]),
    signal: AbortSignal.timeout(5000),
  });

const readLastForm = async () => {
  const [row] = await testApp.sql`SELECT * FROM private.forms ORDER BY created_at DESC, ctid DESC LIMIT 1`;
  return row;
};
const countForms = async () => Number((await testApp.sql`SELECT count(*) AS n FROM private.forms`)[0]?.n);
const listFormMails = () => testApp.mails.filter((mail) => mail.kind === 'form');
const getLastFormMail = () => listFormMails().at(-1) as MailOf<'form'> | undefined;
const listTemporaryUploads = () => readdir(join(dataDir, 'uploads')).catch(() => []);
const listStoredKeys = () => Array.fromAsync(files.list('forms'));

const contactForm = {
  name: 'Ada',
  email: 'ada@usc.edu',
  topic: 'Bug Report',
  message: 'The heart is upside down.',
};
const applicationForm = { opening: 'Product Designer', name: 'Ada', email: 'ada@usc.edu' };
const createFileBytes = (start: string | number[], length = 100) => {
  const bytes = new Uint8Array(length);
  bytes.set(typeof start === 'string' ? new TextEncoder().encode(start) : start);
  return bytes;
};

test('a report is stored and mailed to the support address, with or without a link, signed in or not', async () => {
  const response = await sendForm('report', {
    subject: ' Odd  seller ',
    details: 'Asked me to wire money.\r\nTwice.',
  });
  expect([response.statusCode, response.json()]).toEqual([200, { success: true }]);
  expect(await readLastForm()).toMatchObject({
    kind: 'report',
    user_id: null,
    email: null,
    content: { subject: 'Odd seller', details: 'Asked me to wire money.\nTwice.' },
    created_at: testApp.clock.now(),
  });
  expect(getLastFormMail()).toEqual({
    kind: 'form',
    to: defaultCampus.supportEmail,
    subject: 'Report: Odd seller',
    facts: { Subject: 'Odd seller', 'Item link': 'none' },
    text: 'Asked me to wire money.\nTwice.',
  });

  const person = await testApp.signIn();
  const link = 'https://quad.test/listing/desk-1';
  expect(
    (await sendForm('report', { subject: 'x', details: 'y', item_link: link }, person.headers)).statusCode,
  ).toBe(200);
  expect(await readLastForm()).toMatchObject({ user_id: person.userId, content: { item_link: link } });
  expect(getLastFormMail()?.facts).toMatchObject({ 'Item link': link });
});

test('an invalid or expired token does not prevent sending a form', async () => {
  const response = await sendForm(
    'report',
    { subject: 'x', details: 'y' },
    { authorization: 'Bearer stale.token' },
  );
  expect(response.statusCode).toBe(200);
  expect((await readLastForm())?.user_id).toBeNull();
});

test('a contact message is stored and mailed with its author as the reply address', async () => {
  expect((await sendForm('contact', { ...contactForm, email: ' Ada@USC.edu ' })).statusCode).toBe(200);
  expect(await readLastForm()).toMatchObject({ kind: 'contact', email: 'ada@usc.edu', content: contactForm });
  expect(getLastFormMail()).toMatchObject({
    subject: 'Bug Report from Ada',
    replyTo: 'ada@usc.edu',
    text: contactForm.message,
  });
});

test('a deletion request is stored and mailed', async () => {
  expect((await sendForm('deletion-request', { email: 'ada@usc.edu' })).statusCode).toBe(200);
  expect(await readLastForm()).toMatchObject({ kind: 'deletion-request', email: 'ada@usc.edu' });
  expect(getLastFormMail()).toMatchObject({ replyTo: 'ada@usc.edu', facts: { Email: 'ada@usc.edu' } });
});

test('all missing fields are reported together, each with its message', async () => {
  const email = 'Please use your USC email address';
  const name = 'Please enter your name';
  const before = [await countForms(), listFormMails().length];
  for (const [form, fields] of [
    ['report', { subject: 'Please enter a subject', details: 'Please enter the details' }],
    ['contact', { name, email, topic: 'Please select a topic', message: 'Please enter your message' }],
    ['deletion-request', { email }],
  ] as const) {
    const response = await sendForm(form, {});
    expect([form, response.statusCode, response.json().code]).toEqual([form, 400, 'validation_failed']);
    expect(response.json().fields).toEqual(fields);
  }
  const response = await sendApplication({});
  expect(response.json()).toMatchObject({ fields: { opening: 'Please select an opening', name, email } });
  expect([await countForms(), listFormMails().length]).toEqual(before);
});

test.each([
  ['contact', { name: 'a'.repeat(100) }, undefined],
  ['contact', { name: 'a'.repeat(101) }, 'Name must be at most 100 characters'],
  ['contact', { name: '  ' }, 'Please enter your name'],
  ['contact', { email: 'ada@gmail.com' }, 'Please use your USC email address'],
  ['contact', { email: 'ada@usc.edu.evil.com' }, 'Please use your USC email address'],
  ['contact', { email: 'ada@notusc.edu' }, 'Please use your USC email address'],
  ['contact', { email: 'ada usc.edu' }, 'Please use your USC email address'],
  ['contact', { topic: 'Safety Concern' }, undefined],
  ['contact', { topic: 'Feature Request' }, undefined],
  ['contact', { topic: 'Other' }, undefined],
  ['contact', { topic: 'Gossip' }, 'Please select a topic'],
  ['contact', { message: 'm'.repeat(4000) }, undefined],
  ['contact', { message: 'm'.repeat(4001) }, 'Message must be at most 4000 characters'],
  ['contact', { message: 'a\0b' }, 'This text contains characters that cannot be used'],
  ['report', { subject: 's'.repeat(120) }, undefined],
  ['report', { subject: 's'.repeat(121) }, 'Subject must be at most 120 characters'],
  ['report', { details: 'd'.repeat(4000) }, undefined],
  ['report', { details: 'd'.repeat(4001) }, 'Details must be at most 4000 characters'],
  ['report', { details: ' \n ' }, 'Please enter the details'],
  ['report', { item_link: '' }, undefined],
  ['report', { item_link: 'l'.repeat(500) }, undefined],
  ['report', { item_link: 'l'.repeat(501) }, 'Item link must be at most 500 characters'],
])('the form %s with %j gets the error %s', async (form, change, sentence) => {
  const valid =
    form === 'contact' ? contactForm : { subject: 'Odd seller', details: 'Asked me to wire money.' };
  const response = await sendForm(form, { ...valid, ...change });
  if (sentence === undefined) expect(response.statusCode).toBe(200);
  else
    expect(response.json()).toMatchObject({
      error: sentence,
      fields: { [String(Object.keys(change)[0])]: sentence },
    });
});

test('an application needs no resume, but must name an existing job opening', async () => {
  expect((await sendApplication(applicationForm)).statusCode).toBe(200);
  expect((await readLastForm())?.content).toEqual(applicationForm);
  expect(getLastFormMail()).toMatchObject({
    subject: 'Application: Product Designer',
    facts: { Resume: 'none' },
  });
  expect(getLastFormMail()?.attachment).toBeUndefined();
  const odd = await sendApplication({ ...applicationForm, opening: 'President' });
  expect(odd.json().fields).toEqual({ opening: 'Please select an opening' });
});

test.each([
  ['résumé.pdf', createPdf(), '.pdf', 'application/pdf'],
  ['re\u0301sume\u0301.pdf', createPdf(), '.pdf', 'application/pdf'],
  ['CV.DOC', createDocFile(), '.doc', 'application/msword'],
  ['"Sam" 100% (2026).pdf', createPdf(), '.pdf', 'application/pdf'],
  [
    '..\\cv.final.docx',
    createZip(createDocxParts()),
    '.docx',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ],
])(
  'the resume %s is attached to the application and has no public URL',
  async (name, bytes, ending, contentType) => {
    expect((await sendApplication(applicationForm, { name, bytes })).json()).toEqual({ success: true });
    const form = await readLastForm();
    const key: string = form?.content.resume.key;
    expect(key).toMatch(new RegExp(`^forms/${form?.id}/[\\w-]{36}/resume\\${ending}$`));
    const shown = name.replace('..\\', '').normalize('NFC');
    expect(form?.content.resume).toEqual({ key, name: shown, contentType, bytes: bytes.length });
    expect(getLastFormMail()?.attachment).toEqual({ filename: shown, contentType, key });
    expect((await files.read(key))?.size).toBe(bytes.length);
    for (const url of [key, `listing-photos/../${key}`, `listing-photos/..%2f${key}`]) {
      const response = await testApp.server.inject({ url: `/storage/v1/object/public/${url}` });
      expect(response.statusCode, url).toBe(404);
    }
    expect(await listTemporaryUploads()).toEqual([]);
  },
);

test('a resume of exactly 5 MB is accepted; one byte more is refused and leaves no file', async () => {
  const keys = await listStoredKeys();
  const refused = await sendApplication(applicationForm, {
    name: 'cv.pdf',
    bytes: createPdf(maxResumeBytes + 1),
  });
  expect([refused.statusCode, refused.json()]).toEqual([
    413,
    {
      error: 'Resume must be at most 5MB',
      code: 'resume_too_large',
      fields: { resume: 'Resume must be at most 5MB' },
    },
  ]);
  expect(await listStoredKeys()).toEqual(keys);
  expect(await listTemporaryUploads()).toEqual([]);
  expect(
    (await sendApplication(applicationForm, { name: 'cv.pdf', bytes: createPdf(maxResumeBytes) })).statusCode,
  ).toBe(200);
});

test.each([
  ['cv.exe', 'MZ'],
  ['cv.pdf', 'MZ'],
  ['cv.pdf', [0x50, 0x4b, 3, 4]],
  ['cv.docx', '%PDF-1.7'],
  ['cv.docx', [0x50, 0x4b, 3, 4]],
  ['cv.doc', [0xd0, 0xcf, 0x11, 0xe0]],
  ['cv', '%PDF-1.7'],
  ['cv.pdf.html', '%PDF-1.7'],
])('%s that begins with %j is refused as a resume', async (name, start) => {
  const before = await countForms();
  const response = await sendApplication(applicationForm, { name, bytes: createFileBytes(start) });
  expect([response.statusCode, response.json()]).toMatchObject([
    415,
    { code: 'resume_type', fields: { resume: 'Only PDF, DOC, and DOCX files are allowed' } },
  ]);
  expect(await countForms()).toBe(before);
  expect(await listTemporaryUploads()).toEqual([]);
});

test('an empty file is refused as a resume, and an application with invalid fields leaves no file behind', async () => {
  expect(
    (await sendApplication(applicationForm, { name: 'cv.pdf', bytes: new Uint8Array(0) })).json().code,
  ).toBe('resume_type');
  const keys = await listStoredKeys();
  const response = await sendApplication(
    { ...applicationForm, name: '' },
    { name: 'cv.pdf', bytes: createPdf() },
  );
  expect(response.json().fields).toEqual({ name: 'Please enter your name' });
  expect(await listStoredKeys()).toEqual(keys);
  expect(await listTemporaryUploads()).toEqual([]);
});

test.each([
  ['report', { subject: 'Odd seller', details: 'Asked me to wire money.' }, { details: 'Twice.' }],
  ['contact', contactForm, { message: 'Twice.' }],
  ['deletion-request', { email: 'ada@usc.edu' }, { email: 'ben@usc.edu' }],
])(
  'the form %s is stored and mailed once per client_id, no matter who sends it again',
  async (form, fields, change) => {
    const client_id = randomUUID();
    const person = await testApp.signIn();
    expect((await sendForm(form, { ...fields, client_id })).statusCode).toBe(200);
    const [stored, forms, mails] = [await readLastForm(), await countForms(), listFormMails().length];
    expect(stored).toMatchObject({ id: client_id });
    expect(stored?.content).toEqual(fields);
    for (const headers of [{}, person.headers]) {
      const again = await sendForm(form, { ...fields, ...change, client_id }, headers);
      expect([again.statusCode, again.json()]).toEqual([200, { success: true }]);
    }
    expect([await readLastForm(), await countForms(), listFormMails().length]).toEqual([
      stored,
      forms,
      mails,
    ]);
  },
);

test('an application is stored and mailed once per client_id, with the resume that was sent first', async () => {
  const fields = { ...applicationForm, client_id: randomUUID() };
  const [first, second] = [createPdf(), createPdf(maxResumeBytes)];
  expect((await sendApplication(fields, { name: 'cv.pdf', bytes: first })).statusCode).toBe(200);
  const [keys, forms, mails] = [await listStoredKeys(), await countForms(), listFormMails().length];
  const again = await sendApplication(fields, { name: 'cv.pdf', bytes: second });
  expect([again.statusCode, again.json()]).toEqual([200, { success: true }]);
  expect([await listStoredKeys(), await countForms(), listFormMails().length]).toEqual([keys, forms, mails]);
  expect((await files.read((await readLastForm())?.content.resume.key))?.size).toBe(first.length);
  expect(await listTemporaryUploads()).toEqual([]);
});

test.each([
  { title: 'both succeed', failures: [] },
  { title: 'the first one fails', failures: [new Error('no queue')] },
])(
  'an application that is sent twice at the same time keeps its resume when $title',
  async ({ failures }) => {
    const pendingFailures = [...failures];
    const bothStored = Promise.withResolvers<void>();
    let putCount = 0;
    const sendMail = async () => {
      const failure = pendingFailures.pop();
      if (failure) throw failure;
    };
    const put: FileStore['put'] = async (...parameters) => {
      const outcome = await files.put(...parameters);
      putCount += 1;
      if (putCount === 2) bothStored.resolve();
      await bothStored.promise;
      return outcome;
    };
    const app = createAppWithMail(sendMail, { files: { ...files, put } });
    const client_id = randomUUID();
    const send = async (bytes: Uint8Array) =>
      submitApplication(
        app,
        { ...applicationForm, opening: 'Product Designer', client_id },
        { resume: await receiveTestResume(bytes), sender: undefined },
      );
    const results = await Promise.allSettled([send(createPdf()), send(createPdf(5000))]);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(failures.length);
    const form = await readLastForm();
    const { key, bytes } = form?.content.resume ?? {};
    expect((await files.read(key))?.size).toBe(bytes);
    expect((await Array.fromAsync(files.list(`forms/${client_id}`))).map((file) => file.key)).toEqual([key]);
  },
);

test('an application with a body that is malformed or not multipart is refused', async () => {
  expect((await sendForm('application', applicationForm)).json().code).toBe('unsupported_media_type');
  const response = await testApp.server.inject({
    method: 'POST',
    url: '/rest/v1/forms/application',
    headers: { 'content-type': 'multipart/form-data; boundary=edge' },
    payload: '--edge\r\nContent-Disposition: form-data; name="name"\r\n\r\nAda',
  });
  expect(response.statusCode).toBe(400);
});

test('a form is either both stored and mailed or neither, and a failure also deletes its resume', async () => {
  const broken = createAppWithMail(() => Promise.reject(new Error('no queue')));
  const [before, keys] = [await countForms(), await listStoredKeys()];
  await expect(submitConcernReport(broken, { subject: 'x', details: 'y' }, undefined)).rejects.toThrow(
    'no queue',
  );
  const resume = await receiveTestResume(createPdf());
  await expect(
    submitApplication(
      broken,
      { ...applicationForm, opening: 'Product Designer' },
      { resume, sender: undefined },
    ),
  ).rejects.toThrow('no queue');
  expect(await countForms()).toBe(before);
  expect(await listStoredKeys()).toEqual(keys);
});

test('a resume without an application is deleted after a day; that of an application stays', async () => {
  const resume = { name: 'cv.pdf', bytes: createPdf() };
  expect((await sendApplication(applicationForm, resume)).statusCode).toBe(200);
  const form = await readLastForm();
  const orphans = [randomUUID(), form?.id].map((id) => `forms/${id}/${randomUUID()}/resume.pdf`);
  for (const key of orphans) await files.put(key, createPdf(), { contentType: 'application/pdf' });
  const listKeys = async () => (await listStoredKeys()).map(({ key }) => key);
  testApp.clock.set(new Date());
  await testApp.jobs.repeatNow('remove-resume-orphans');
  expect(await listKeys()).toEqual(expect.arrayContaining(orphans));
  testApp.clock.advance(24 * 3600 + 60);
  await testApp.jobs.repeatNow('remove-resume-orphans');
  for (const key of orphans) expect(await listKeys()).not.toContain(key);
  expect(await listKeys()).toContain(form?.content.resume.key);
});

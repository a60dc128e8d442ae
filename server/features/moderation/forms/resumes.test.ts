import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resumeDownloadPath } from '#contract/console-calls.ts';
import { createDiskFileStore, type FileStore } from '#server/platform/files/files.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { grantConsoleRole, signInToConsole } from '#server/testing/console.ts';
import { createPdf } from '#server/testing/resumes.ts';

let dataDir: string;
let files: FileStore;
let testApp: TestApp;
let administrator: Person;
let formId: string;
const pdf = createPdf(5_000);

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'quad-resumes-'));
  files = createDiskFileStore({ root: join(dataDir, 'files') });
  testApp = await startTestApp({ environment: { QUAD_DATA_DIR: dataDir }, replace: { files } });
  administrator = await signInToConsole(testApp, 'administrator');
  const form = new FormData();
  for (const [name, value] of Object.entries({
    opening: 'Product Designer',
    name: 'Ada',
    email: 'ada@usc.edu',
  }))
    form.append(name, value);
  form.append('resume', new Blob([pdf]), '"; filename=evil.html\r\n.pdf');
  const encoded = new Response(form);
  const sent = await testApp.server.inject({
    method: 'POST',
    url: '/rest/v1/forms/application',
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    payload: Buffer.from(await encoded.arrayBuffer()),
  });
  expect(sent.statusCode).toBe(200);
  const [row] = await testApp.sql<{ id: string }[]>`SELECT id FROM private.forms`;
  formId = row?.id ?? '';
});
afterAll(async () => {
  await testApp.close();
  await rm(dataDir, { recursive: true, force: true });
});

const download = async (id: string, person?: Person) => {
  const response = await testApp.server.inject({
    url: resumeDownloadPath.replace('{id}', id),
    headers: person?.headers ?? {},
  });
  const { code } = response.headers['content-type']?.includes('json') ? response.json() : {};
  return { status: response.statusCode, code, response };
};

test('an administrator downloads the resume of an application under a filename set by the server', async () => {
  const { status, response } = await download(formId, administrator);
  expect(status).toBe(200);
  expect(response.rawPayload.equals(Buffer.from(pdf))).toBe(true);
  expect(response.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${formId.slice(0, 8)}-resume.pdf"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
});

test('promise 82: nobody else downloads a resume', async () => {
  expect(await download(formId)).toMatchObject({ status: 401, code: 'not_authenticated' });
  expect(await download(formId, await testApp.signIn())).toMatchObject({
    status: 403,
    code: 'role_required',
  });
  expect(await download(formId, await signInToConsole(testApp, 'moderator'))).toMatchObject({
    status: 403,
    code: 'role_required',
  });
  const withoutSecondFactor = await testApp.signIn();
  await grantConsoleRole(testApp, withoutSecondFactor, 'administrator', { secondFactor: false });
  expect(await download(formId, withoutSecondFactor)).toMatchObject({
    status: 403,
    code: 'second_factor_required',
  });
});

test('returns 404 for a missing form, a form without resume, and a resume whose file is missing', async () => {
  await testApp.server.inject({
    method: 'POST',
    url: '/rest/v1/forms/report',
    payload: { subject: 'Noise', details: 'At night' },
  });
  const [report] = await testApp.sql<{ id: string }[]>`SELECT id FROM private.forms WHERE kind = 'report'`;
  for (const id of [randomUUID(), 'nonsense', report?.id ?? ''])
    expect(await download(id, administrator), id).toMatchObject({ status: 404, code: 'not_found' });
  for await (const { key } of files.list('forms')) await files.delete(key);
  expect(await download(formId, administrator)).toMatchObject({ status: 404, code: 'not_found' });
});

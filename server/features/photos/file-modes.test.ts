import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDiskFileStore, type FileStore } from '#server/platform/files/files.ts';
import { createAccountClient } from '#server/testing/account-deletion.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { listPathsAccessibleToOthers } from '#server/testing/file-modes.ts';
import { createPdf } from '#server/testing/resumes.ts';

let folder: string;
let testApp: TestApp;
const filesReadableByOthers: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quad-modes-'));
  const disk = createDiskFileStore({ root: join(folder, 'files') });
  const files: FileStore = {
    ...disk,
    put: async (...args) => {
      // Check the folder now as well, while the upload is still in its temporary folder.
      filesReadableByOthers.push(...(await listPathsAccessibleToOthers(folder)));
      return disk.put(...args);
    },
  };
  testApp = await startTestApp({ environment: { QUAD_DATA_DIR: folder }, replace: { files } });
});
afterAll(async () => {
  await testApp.close();
  await rm(folder, { recursive: true });
});

const sendResume = async () => {
  const form = new FormData();
  const fields = { opening: 'Product Designer', name: 'Ada', email: 'ada@usc.edu' };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('resume', new Blob([createPdf()]), 'cv.pdf');
  const encoded = new Response(form);
  return testApp.server.inject({
    method: 'POST',
    url: '/rest/v1/forms/application',
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    payload: Buffer.from(await encoded.arrayBuffer()),
  });
};

test('photos, avatars and resumes are readable only by the server’s account', async () => {
  const person = await testApp.signIn();
  const { upload } = createAccountClient(testApp);
  expect((await upload(person)).status).toBe(200);
  expect((await upload(person, 'avatars')).status).toBe(200);
  expect((await sendResume()).statusCode).toBe(200);
  const stored = (
    await Promise.all(
      ['listing-photos', 'avatars', 'forms'].map((name) =>
        listPathsAccessibleToOthers(join(folder, 'files', name)),
      ),
    )
  ).flat();
  expect(stored).toEqual([]);
  expect(filesReadableByOthers).toEqual([]);
  expect(await listPathsAccessibleToOthers(folder)).toEqual([]);
});

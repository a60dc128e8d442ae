import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import { migrateDatabase } from '#server/platform/postgres/migrations.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { createTestConversations, type TestConversation } from '../chaos/test-conversations.ts';
import { addNextVersionMigrations, nextVersionMigrations } from '../support/next-version.ts';
import { startPostgres } from '../support/postgres.ts';
import { startQuad } from '../support/quad-server.ts';
import { test } from '../support/test.ts';
import { createPostRequest, type ProbeResult, sendProbe, waitForCondition } from './probes.ts';

const migrationsFolder = fileURLToPath(new URL('../../server/migrations', import.meta.url));

test('promise 43: a migration runs while the previous version serves, without any 5xx', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quad-next-'));
  cpSync(migrationsFolder, folder, { recursive: true });
  addNextVersionMigrations(folder);
  const database = await startPostgres();
  const quad = await startQuad({ QUAD_DATABASE_URL: database.url });
  try {
    const [talk] = (await createTestConversations(quad, 1)) as [TestConversation];
    const [{ token }] = talk.parties;
    const signedIn = { headers: { authorization: `Bearer ${token}` } };
    const talkPath = `/rest/v1/conversations/${talk.conversationId}/messages`;
    const listing = () => ({
      ...{ title: `A desk ${randomUUID()}`, category: 'furniture', condition: 'good', price: 40, photos: [] },
      ...{ description: 'A desk that many people saved while the schema changed.', location: 'Parkside' },
      ...{ contactEmail: 'seller@usc.edu', status: 'published' },
    });
    const kinds: (() => Promise<ProbeResult>)[] = [
      () => sendProbe(quad, 'page', `/search?q=${randomUUID()}`),
      () => sendProbe(quad, 'list', '/rest/v1/listings'),
      () => sendProbe(quad, 'inbox', '/rest/v1/conversations', signedIn),
      () =>
        sendProbe(
          quad,
          'sending',
          talkPath,
          createPostRequest({ client_id: randomUUID(), message_text: 'Hi' }, token),
        ),
      () => sendProbe(quad, 'saving', '/functions/v1/create-listing', createPostRequest(listing(), token)),
    ];
    const answers: (ProbeResult & { at: number })[] = [];
    let ended = false;
    const load = kinds.map(async (make) => {
      while (!ended) answers.push({ ...(await make()), at: performance.now() });
    });
    const names = ['page', 'list', 'inbox', 'sending', 'saving'];
    const allAnsweredSince = (moment: number) => () =>
      names.every((what) => answers.some((answer) => answer.what === what && answer.at > moment));
    await waitForCondition(allAnsweredSince(0), 30_000);
    const done = await migrateDatabase({ databaseUrl: database.url, log: silentLog, folder });
    const migratedAt = performance.now();
    await waitForCondition(allAnsweredSince(migratedAt), 30_000);
    ended = true;
    await Promise.all(load);

    expect(done).toEqual(Object.keys(nextVersionMigrations).map((name) => name.replace('.sql', '')));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    // The database schema is now newer than the running server, which must keep handling requests
    // but must refuse to start again.
    expect((await kinds[4]?.())?.status).toBe(200);
    await quad.terminate();
    await expect(quad.start()).rejects.toThrow('the schema of a newer version (9005_authors)');
  } finally {
    await quad.stop();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInProcessBus } from '#server/platform/bus/bus.ts';
import { generateSecrets } from '#server/platform/secrets.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';

let firstApp: TestApp;
let isolatedApp: TestApp;
beforeAll(async () => {
  const secrets = generateSecrets();
  firstApp = await startTestApp({ deps: { secrets } });
  // The second server uses the same database but another bus, so it does not receive the first
  // server's announcements of ended sessions.
  const { sql, clock } = firstApp;
  isolatedApp = await startTestApp({ deps: { secrets, sql, clock, bus: createInProcessBus() } });
});
afterAll(async () => {
  await isolatedApp.close();
  await firstApp.close();
});

const fetchMeStatus = async ({ app }: TestApp, { headers }: Person) =>
  (await app.inject({ url: '/rest/v1/me', headers })).statusCode;
const postJson = (url: string, payload: object, person?: Person) =>
  firstApp.app.inject({ method: 'POST', url, payload, headers: person?.headers ?? {} });

const sessionEndingRequests: [string, (person: Person) => Promise<{ statusCode: number }>][] = [
  ['logging out', (person) => postJson('/auth/v1/logout?scope=local', {}, person)],
  ['logging out everywhere', (person) => postJson('/auth/v1/logout?scope=global', {}, person)],
  [
    'resetting the password',
    async ({ email }) => {
      await postJson('/functions/v1/forgot-password', { email });
      const mail = firstApp.mails.findLast((sent) => sent.to === email && sent.kind === 'reset_link');
      const token = mail?.kind === 'reset_link' ? mail.token : '';
      return postJson('/functions/v1/reset-password', { token, password: 'a-new-password-9' });
    },
  ],
];

test.each(sessionEndingRequests)(
  'promise 12: %s ends access here immediately and within 5 s in a disconnected process',
  async (_, end) => {
    const person = await firstApp.signIn();
    expect(await fetchMeStatus(firstApp, person)).toBe(200);
    expect(await fetchMeStatus(isolatedApp, person)).toBe(200);
    expect((await end(person)).statusCode).toBeLessThan(300);
    expect(await fetchMeStatus(firstApp, person)).toBe(401);
    firstApp.clock.advance(5);
    expect(await fetchMeStatus(isolatedApp, person)).toBe(401);
    const refreshed = await postJson('/auth/v1/token?grant_type=refresh_token', {
      refresh_token: person.refreshToken,
    });
    expect(refreshed.statusCode).toBe(400);
  },
);

test('promise 12: refreshing a session while it ends is refused, without a deadlock', async () => {
  const person = await firstApp.signIn();
  let renewal: ReturnType<typeof postJson> | undefined;
  await firstApp.sql.begin(async (tx) => {
    // Ends the sessions in the same lock order as the server: session rows first; their refresh
    // tokens are deleted by cascade.
    await tx`SELECT 1 FROM private.sessions WHERE user_id = ${person.userId} FOR UPDATE`;
    renewal = postJson('/auth/v1/token?grant_type=refresh_token', { refresh_token: person.refreshToken });
    const waiting = () => firstApp.sql`SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(waiting).toHaveLength(1);
    await tx`SET LOCAL lock_timeout = '200ms'`;
    await tx`DELETE FROM private.sessions WHERE user_id = ${person.userId}`;
  });
  expect((await renewal)?.statusCode).toBe(400);
});

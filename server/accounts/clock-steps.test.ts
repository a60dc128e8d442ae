import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase, type Sql } from '#server/platform/postgres/database.ts';
import { createRateLimits } from '#server/platform/rate-limits.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';

let quad: TestApp;
let countsDatabase: TestDatabase;
let sql: Sql;
beforeEach(async () => {
  countsDatabase = await createTestDatabase();
  sql = openDatabase(countsDatabase.url, { max: 2 });
  quad = await startTestApp({ deps: { rateLimits: createRateLimits(sql) } });
});
afterEach(async () => {
  await quad.close();
  await sql.end();
  await countsDatabase.drop();
});

const stepClock = (hours: number): void =>
  quad.clock.set(new Date(quad.clock.now().getTime() + hours * 3_600_000));
const post = (url: string, payload: object) => quad.app.inject({ method: 'POST', url, payload });

test.each([-2, 2])(
  'after a clock step of %i hours everything works, and expiry follows the new time',
  async (hours) => {
    const person = await quad.signIn();
    quad.clock.advance(31);
    expect((await post('/functions/v1/send-otp', { email: person.email })).statusCode).toBe(200);
    const code = quad.codeFor(person.email);
    stepClock(hours);

    // After a step forward, the code (10 minutes) and the access token (an hour) have expired; after a step back, they
    // have not.
    const entered = await post('/functions/v1/verify-otp', { email: person.email, code });
    expect(entered.statusCode, entered.body).toBe(hours > 0 ? 400 : 200);
    const me = await quad.app.inject({ url: '/rest/v1/me', headers: person.headers });
    expect(me.statusCode).toBe(hours > 0 ? 401 : 200);
    // The session continues in both cases, and its next access token is valid at the new time.
    const refreshed = await post('/auth/v1/token?grant_type=refresh_token', {
      refresh_token: person.refreshToken,
    });
    expect(refreshed.statusCode).toBe(200);
    const headers = { authorization: `Bearer ${refreshed.json().access_token}` };
    expect((await quad.app.inject({ url: '/rest/v1/me', headers })).statusCode).toBe(200);
    // A code sent two hours in the future must not block another one.
    expect((await post('/functions/v1/send-otp', { email: person.email })).statusCode).toBe(200);
    // New log-ins and the retention job still work.
    expect((await quad.signIn()).token).toBeTruthy();
    await quad.jobs.repeatNow('remove-overdue');
    stepClock(-hours);
    expect((await quad.app.inject({ url: '/healthz' })).statusCode).toBe(200);
  },
);

import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase, type Sql } from '#server/platform/postgres/database.ts';
import { createRateLimits } from '#server/platform/rate-limits.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';

let testApp: TestApp;
let rateLimitDatabase: TestDatabase;
let sql: Sql;
beforeEach(async () => {
  rateLimitDatabase = await createTestDatabase();
  sql = openDatabase(rateLimitDatabase.url, { max: 2 });
  testApp = await startTestApp({ replace: { limits: createRateLimits(sql) } });
});
afterEach(async () => {
  await testApp.close();
  await sql.end();
  await rateLimitDatabase.drop();
});

const stepClock = (hours: number): void =>
  testApp.clock.set(new Date(testApp.clock.now().getTime() + hours * 3_600_000));
const postJson = (url: string, payload: object) => testApp.server.inject({ method: 'POST', url, payload });

test.each([-2, 2])(
  'after a clock step of %i hours log-ins and sessions work, and expiry follows the new time',
  async (hours) => {
    const person = await testApp.signIn();
    testApp.clock.advance(31);
    expect((await postJson('/functions/v1/send-otp', { email: person.email })).statusCode).toBe(200);
    const code = testApp.codeFor(person.email);
    stepClock(hours);

    // When the clock jumps two hours forward, the code (valid for 10 minutes) and the access token
    // (valid for an hour) have expired; when it jumps back, both are still valid.
    const entered = await postJson('/functions/v1/verify-otp', { email: person.email, code });
    expect(entered.statusCode, entered.body).toBe(hours > 0 ? 400 : 200);
    const me = await testApp.server.inject({ url: '/rest/v1/me', headers: person.headers });
    expect(me.statusCode).toBe(hours > 0 ? 401 : 200);
    // The session itself survives both jumps: refreshing it returns an access token that is valid
    // at the new time.
    const refreshed = await postJson('/auth/v1/token?grant_type=refresh_token', {
      refresh_token: person.refreshToken,
    });
    expect(refreshed.statusCode).toBe(200);
    const headers = { authorization: `Bearer ${refreshed.json().access_token}` };
    expect((await testApp.server.inject({ url: '/rest/v1/me', headers })).statusCode).toBe(200);
    // After a jump back, the send time of the previous code is two hours in the future; this must
    // not delay the next code.
    expect((await postJson('/functions/v1/send-otp', { email: person.email })).statusCode).toBe(200);
    // After the jump, new log-ins and the retention job still work.
    expect((await testApp.signIn()).token).toBeTruthy();
    await testApp.jobs.repeatNow('remove-overdue');
    stepClock(-hours);
    expect((await testApp.server.inject({ url: '/healthz' })).statusCode).toBe(200);
  },
);

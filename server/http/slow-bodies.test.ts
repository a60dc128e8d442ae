import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { grantConsoleRole, signInToConsole } from '#server/testing/console.ts';
import { sendRequest } from '#server/testing/requests.ts';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

const logOut = (person: Person) =>
  testApp.server.inject({ method: 'POST', url: '/auth/v1/logout?scope=local', headers: person.headers });

/**
 * Sends a request whose body arrives only after the headers were accepted, five seconds have passed and `meanwhile`
 * has ended.
 */
const sendSlowly = async (
  person: Person,
  { url, body, type = 'application/json' }: { url: string; body: string | Buffer; type?: string },
  meanwhile: () => Promise<unknown>,
) => {
  let hasStarted = false;
  const payload = new Readable({
    read() {
      if (hasStarted) return;
      hasStarted = true;
      testApp.clock.advance(5);
      meanwhile().then(
        () => {
          this.push(body);
          this.push(null);
        },
        (error: Error) => this.destroy(error),
      );
    },
  });
  const headers = { ...person.headers, 'content-type': type, 'content-length': String(body.length) };
  const response = await testApp.server.inject({ method: 'POST', url, headers, payload });
  return { status: response.statusCode, code: response.json().code };
};

const draft = {
  url: '/functions/v1/create-listing',
  body: JSON.stringify({ title: 'A lamp', status: 'draft' }),
};

describe('promise 12: while the body of a request arrives', () => {
  test('a session that stays active is accepted', async () => {
    const person = await testApp.signIn();
    expect((await sendSlowly(person, draft, async () => {})).status).toBe(200);
  });

  test('a session that ends is refused, and nothing is stored', async () => {
    const person = await testApp.signIn();
    expect(await sendSlowly(person, draft, () => logOut(person))).toEqual({
      status: 401,
      code: 'not_authenticated',
    });
    expect(await testApp.sql`SELECT FROM listings WHERE user_id = ${person.userId}`).toHaveLength(0);
  });

  test('a session that ends cannot store a photo', async () => {
    const person = await testApp.signIn();
    const boundary = 'a-boundary-of-a-photo';
    const upload = {
      url: '/storage/v1/object/listing-photos',
      type: `multipart/form-data; boundary=${boundary}`,
      body: `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\nbytes\r\n--${boundary}--\r\n`,
    };
    expect((await sendSlowly(person, upload, async () => {})).code).toBe('photo_type');
    expect((await sendSlowly(person, upload, () => logOut(person))).code).toBe('not_authenticated');
  });

  test('an administrator whose role is removed is refused, and the action is not taken', async () => {
    const administrator = await signInToConsole(testApp, 'administrator');
    const person = await testApp.signIn();
    const suspend = {
      url: `/rest/v1/moderation/people/${person.userId}/actions`,
      body: JSON.stringify({ action: 'suspend', days: 1, reason: 'Sells tickets that do not exist.' }),
    };
    const removeRole = () => testApp.sql`
      UPDATE private.credentials SET console_role = NULL WHERE user_id = ${administrator.userId}`;
    expect((await sendSlowly(administrator, suspend, removeRole)).code).toBe('role_required');
    expect((await sendRequest(testApp, person, 'GET', '/rest/v1/me')).status).toBe(200);
    await grantConsoleRole(testApp, administrator, 'administrator');
    expect((await sendSlowly(administrator, suspend, async () => {})).status).toBe(200);
  });
});

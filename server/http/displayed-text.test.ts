import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startTestApp, type TestApp, testPassword } from '#server/testing/app.ts';
import { submitListingForm, validListingForm } from '#server/testing/listings.ts';

let testApp: TestApp;
let person: Person;
beforeAll(async () => {
  testApp = await startTestApp();
  person = await testApp.signIn();
});
afterAll(() => testApp.close());

const sendRequest = async (
  method: 'PATCH' | 'POST' | 'PUT',
  url: string,
  payload: object,
  sender?: Person,
) => {
  const response = await testApp.server.inject({ method, url, payload, headers: sender?.headers ?? {} });
  return { status: response.statusCode, body: response.json() };
};
/** Returns the text with a direction override, an invisible character and a tag character inserted. */
const addInvisibleCharacters = (text: string): string =>
  `\u202E${text.slice(0, 3)}\u200B\u{E0041}${text.slice(3)}\u2066`;

describe('promise 54: no invisible or direction-changing character is stored with', () => {
  test('title, description and location of a listing', async () => {
    const { title, description, location } = validListingForm;
    for (const status of ['published', 'draft']) {
      const { body } = await submitListingForm(testApp, person, {
        status,
        title: addInvisibleCharacters(title),
        description: addInvisibleCharacters(description),
        location: addInvisibleCharacters(location),
      });
      expect(body.listing).toMatchObject({ title, description, location });
    }
  });

  test('phone number of a listing', async () => {
    const { body } = await submitListingForm(testApp, person, { contactPhone: '(213)\uFEFF 555\uFEFF-0100' });
    expect(body.listing).toMatchObject({ contact_phone: '(213) 555-0100' });
  });

  test('full name and bio of a profile', async () => {
    const { body } = await sendRequest(
      'PATCH',
      '/rest/v1/me',
      {
        full_name: addInvisibleCharacters('Sam Student'),
        bio: addInvisibleCharacters('Selling my dorm room.\n👩‍🚀 می‌خواهم'),
      },
      person,
    );
    expect(body).toMatchObject({ full_name: 'Sam Student', bio: 'Selling my dorm room.\n👩‍🚀 می‌خواهم' });
  });

  test('name and text of a saved search', async () => {
    const search = {
      name: addInvisibleCharacters('Oak desks'),
      query: { q: addInvisibleCharacters('oak desk') },
    };
    const { body } = await sendRequest(
      'POST',
      '/rest/v1/me/saved-searches',
      { ...search, alert: 'off' },
      person,
    );
    expect(body).toMatchObject({ name: 'Oak desks', query: { q: 'oak desk' } });
  });

  test('the texts of a form', async () => {
    const report = { subject: 'Broken lock', details: 'Somebody should look.', item_link: '/listing/desk-1' };
    const disguised = Object.fromEntries(
      Object.entries(report).map(([name, text]) => [name, addInvisibleCharacters(text)]),
    );
    expect((await sendRequest('POST', '/rest/v1/forms/report', disguised)).status).toBe(200);
    const [form] = await testApp.sql`SELECT content FROM private.forms ORDER BY created_at DESC LIMIT 1`;
    expect(form?.content).toMatchObject(report);
  });
});

describe('promise 54: text with only invisible characters counts as missing', () => {
  const nothing = '\u200B\u2060\u3164\u{E0041}';

  test('in a listing', async () => {
    const blank = { title: nothing, description: nothing, location: nothing };
    expect((await submitListingForm(testApp, person, blank)).body.fields).toEqual({
      title: 'Title must be at least 10 characters',
      description: 'Description must be at least 40 characters',
      location: 'Location is required',
    });
  });

  test('in a form and a profile', async () => {
    const form = await sendRequest('POST', '/rest/v1/forms/report', { subject: nothing, details: nothing });
    expect(form.body.fields).toEqual({
      subject: 'Please enter a subject',
      details: 'Please enter the details',
    });
    const profile = await sendRequest('PATCH', '/rest/v1/me', { full_name: nothing }, person);
    expect(profile.body.fields).toEqual({ full_name: 'Please enter your full name' });
  });
});

test('promise 54: a title with a check mark is refused like one with an emoji', async () => {
  for (const mark of ['✓', '✔', '✅', '☑']) {
    const { body } = await submitListingForm(testApp, person, { title: `Verified seller ${mark}` });
    expect(body.fields).toEqual({ title: 'Title cannot contain emojis' });
  }
});

test('promise 54: a search ignores invisible characters in the query', async () => {
  await submitListingForm(testApp, person, { title: 'Walnut bookshelf with five shelves' });
  const found = await testApp.server.inject({
    url: `/rest/v1/listings?q=${encodeURIComponent(addInvisibleCharacters('bookshelf'))}`,
  });
  expect(found.json()).toMatchObject({ total: 1 });
});

const impersonationErrorMessage =
  'Please use your own name: this one could be mistaken for Quad or USC staff';

test.each<[string, 'PATCH' | 'POST' | 'PUT', string, (name: string) => object]>([
  [
    'signing up',
    'POST',
    '/functions/v1/signup',
    (fullName) => ({ email: 'imitator@usc.edu', password: testPassword, fullName }),
  ],
  [
    'signing up by GoTrue',
    'POST',
    '/auth/v1/signup',
    (full_name) => ({ email: 'imitator@usc.edu', password: testPassword, data: { full_name } }),
  ],
  ['changing the profile', 'PATCH', '/rest/v1/me', (full_name) => ({ full_name })],
  ['changing the user by GoTrue', 'PUT', '/auth/v1/user', (full_name) => ({ data: { full_name } })],
])('promise 54: %s with a name that imitates staff is refused', async (_what, method, url, bodyOf) => {
  for (const name of ['Quad Support', 'USC Admin', 'Аdmіn']) {
    const { status, body } = await sendRequest(method, url, bodyOf(name), person);
    expect(status).toBe(400);
    expect(body.error ?? body.message).toBe(impersonationErrorMessage);
  }
  expect(await testApp.sql`SELECT 1 FROM users WHERE email = 'imitator@usc.edu'`).toHaveLength(0);
});

describe('promise 54: a person whose email address begins with a name that imitates staff', () => {
  let staffLike: Person;
  beforeAll(async () => {
    const email = 'quad.support@example.com';
    await sendRequest('POST', '/auth/v1/signup', { email, password: testPassword });
    const { body } = await sendRequest('POST', '/auth/v1/verify', {
      email,
      token: testApp.codeFor(email),
      type: 'signup',
      password: testPassword,
    });
    staffLike = {
      ...person,
      userId: body.user.id,
      headers: { authorization: `Bearer ${body.access_token}` },
    };
  });
  const seenName = async () =>
    (await testApp.server.inject({ url: `/rest/v1/users/${staffLike.userId}` })).json().name;

  test('is displayed as User until a name is set', async () => {
    expect(await seenName()).toBe('User');
    await sendRequest('PATCH', '/rest/v1/me', { full_name: 'Sue Porter' }, staffLike);
    expect(await seenName()).toBe('Sue Porter');
  });

  test('cannot hide the full name, because part of the address would be displayed instead', async () => {
    const { status, body } = await sendRequest('PATCH', '/rest/v1/me', { show_full_name: false }, staffLike);
    expect(status).toBe(400);
    expect(body.fields).toEqual({
      show_full_name:
        'Others would see the first part of your email address, which looks like the name of staff',
    });
    expect((await sendRequest('PATCH', '/rest/v1/me', { show_full_name: false }, person)).status).toBe(200);
  });
});

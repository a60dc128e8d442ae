import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownProfileSchema } from '#contract/profiles.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';

let testApp: TestApp;
let person: Person;
let stranger: Person;
beforeAll(async () => {
  testApp = await startTestApp();
  [person, stranger] = [await testApp.signIn(), await testApp.signIn({ fullName: 'Sue Stranger' })];
});
afterAll(() => testApp.close());

const requestOwnProfile = async (payload?: object, who = person) => {
  const response = await testApp.server.inject({
    method: payload ? 'PATCH' : 'GET',
    url: '/rest/v1/me',
    headers: who.headers,
    ...(payload ? { payload } : {}),
  });
  return { status: response.statusCode, body: response.json() };
};
const insertAvatar = async (who: Person, name: string): Promise<string> => {
  const [row] = await testApp.sql`
    INSERT INTO private.objects (bucket, path, owner_id, width, height, thumbhash, bytes, created_at)
    VALUES ('avatars', ${`${who.userId}/${name}`}, ${who.userId}, 512, 512, 'abc=', 1, ${testApp.clock.now()})
    RETURNING url`;
  return row?.url;
};

test('a person reads and changes their own profile, field by field', async () => {
  const before = await requestOwnProfile();
  expect(ownProfileSchema.strict().parse(before.body)).toMatchObject({
    email: person.email,
    full_name: 'Sam Student',
    role: null,
    usc_verified: true,
  });
  testApp.clock.advance(5);
  const changed = await requestOwnProfile({ role: 'Alumni', bio: '  Selling my dorm room.\r\nAll of it. ' });
  expect(changed.body).toMatchObject({
    full_name: 'Sam Student',
    role: 'Alumni',
    bio: 'Selling my dorm room.\nAll of it.',
    updated_at: testApp.clock.now().toISOString(),
  });
  expect((await requestOwnProfile({ bio: '' })).body).toMatchObject({ role: 'Alumni', bio: null });
});

test('invalid values are refused, and the response lists all invalid fields', async () => {
  const refused = await requestOwnProfile({ full_name: '   ', role: 'Dean', bio: 'x'.repeat(501) });
  expect(refused.status).toBe(400);
  expect(refused.body.fields).toEqual({
    full_name: 'Please enter your full name',
    role: 'Please select your role',
    bio: 'Bio must be at most 500 characters',
  });
});

test('promise 16: nobody can verify themselves or change their email address', async () => {
  await requestOwnProfile({
    usc_verified: false,
    email: 'dean@usc.edu',
    id: stranger.userId,
    full_name: 'Sam Student',
  });
  expect((await requestOwnProfile()).body).toMatchObject({
    id: person.userId,
    email: person.email,
    usc_verified: true,
  });
});

test('without a full name, other people see the part of the address before the at-sign', async () => {
  expect((await requestOwnProfile({ show_full_name: false }, stranger)).body.show_full_name).toBe(false);
  const response = await testApp.server.inject({ url: `/rest/v1/users/${stranger.userId}` });
  expect(response.json().name).toBe(stranger.email.split('@')[0]);
  const own = await requestOwnProfile({ bio: 'Just moving in.' }, stranger);
  expect(own.body).toMatchObject({ full_name: 'Sue Stranger', show_full_name: false });
});

test('emails about new messages are on until the person turns them off', async () => {
  expect((await requestOwnProfile()).body).toMatchObject({ email_messages: true, show_full_name: true });
  expect((await requestOwnProfile({ email_messages: false })).body.email_messages).toBe(false);
  expect((await requestOwnProfile({ full_name: 'Sam Student' })).body.email_messages).toBe(false);
  expect((await requestOwnProfile(undefined, stranger)).body.email_messages).toBe(true);
  expect((await requestOwnProfile({ email_messages: 'no', show_full_name: null })).body.fields).toEqual({
    email_messages: expect.any(String),
    show_full_name: expect.any(String),
  });
  expect((await requestOwnProfile({ email_messages: true })).body.email_messages).toBe(true);
});

test('an avatar must be the person’s own upload; the replaced one is deleted', async () => {
  const [first, second] = [await insertAvatar(person, '1.jpg'), await insertAvatar(person, '2.jpg')];
  const foreign = await insertAvatar(stranger, '1.jpg');
  expect((await requestOwnProfile({ avatar_url: `http://quad.test${first}` })).body.avatar_url).toBe(first);
  for (const avatar_url of [foreign, '', 'https://evil.test/me.jpg'])
    expect((await requestOwnProfile({ avatar_url })).body.fields).toHaveProperty('avatar_url');
  expect((await requestOwnProfile({ avatar_url: second })).body.avatar_url).toBe(second);
  await testApp.jobs.runAll();
  const left = await testApp.sql`SELECT url FROM private.objects WHERE owner_id = ${person.userId}`;
  expect(left.map((row) => row.url)).toEqual([second]);
  expect((await requestOwnProfile({ avatar_url: null })).body.avatar_url).toBeNull();
});

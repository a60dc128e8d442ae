import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { liftSuspensionOf } from '#server/features/moderation/public.ts';
import { createInProcessBus } from '#server/platform/bus/bus.ts';
import { createAccountClient } from '#server/testing/account-deletion.ts';
import { type Person, startTestApp, type TestApp, testPassword } from '#server/testing/app.ts';
import { createCampusAddressClient } from '#server/testing/campus-addresses.ts';
import { submitListingForm } from '#server/testing/listings.ts';
import { suspendByCommand } from '#server/testing/suspensions.ts';
import { searchAccounts, setAccountVerified } from './account-moderation.ts';

let testApp: TestApp;
let campusAddressClient: ReturnType<typeof createCampusAddressClient>;
const invalidatedUserIds: string[] = [];

beforeAll(async () => {
  const bus = createInProcessBus();
  testApp = await startTestApp({ replace: { bus } });
  campusAddressClient = createCampusAddressClient(testApp);
  bus.subscribe(
    (it) => it.kind === 'pages_changed' && invalidatedUserIds.push(...it.user_ids),
    () => {},
  );
});
afterAll(() => testApp.close());

const listEvents = async ({ userId }: Person): Promise<string[]> => {
  const rows = await testApp.sql<{ event: string }[]>`
    SELECT event FROM private.security_events WHERE user_id = ${userId} ORDER BY id`;
  return rows.map(({ event }) => event).filter((event) => event !== 'signed_in');
};
const findMails = (to: string): string[] =>
  testApp.mails.filter((mail) => mail.to === to).map(({ kind }) => kind);
const isVerified = async (person: Person): Promise<boolean> =>
  (await testApp.server.inject({ url: `/rest/v1/users/${person.userId}` })).json().usc_verified;
const postJson = async (url: string, payload: object) => {
  const response = await testApp.server.inject({ method: 'POST', url, payload });
  return { status: response.statusCode, body: response.json() };
};
const signUp = (email: string) =>
  postJson('/functions/v1/signup', { email, password: testPassword, fullName: 'Nina Newcomer' });
const confirmSignUp = (email: string) =>
  postJson('/functions/v1/verify-otp', { email, code: testApp.codeFor(email), password: testPassword });

describe('adding a campus address', () => {
  test('the emailed code sets the badge everywhere at once, and nobody else sees the address', async () => {
    const person = await campusAddressClient.signInOutside();
    const email = campusAddressClient.newAddress();
    const { body } = await submitListingForm(testApp, person);
    expect(await campusAddressClient.readProfile(person)).toMatchObject({
      usc_verified: false,
      campus_address: null,
    });

    const requested = await campusAddressClient.request(person, `  ${email.toUpperCase()} `);
    const waiting = { email, requested_at: testApp.clock.now().toISOString(), verified_at: null };
    expect(requested.body).toMatchObject({ usc_verified: false, campus_address: waiting });
    expect(findMails(email)).toEqual(['campus_code']);
    expect(await isVerified(person)).toBe(false);

    invalidatedUserIds.length = 0;
    testApp.clock.advance(20);
    const verified = await campusAddressClient.verify(person, testApp.codeFor(email));
    const now = testApp.clock.now().toISOString();
    expect(verified).toMatchObject({
      status: 200,
      body: {
        email: person.email,
        usc_verified: true,
        updated_at: now,
        campus_address: { ...waiting, verified_at: now },
      },
    });
    expect(invalidatedUserIds).toEqual([person.userId]);
    expect(await listEvents(person)).toEqual(['campus_address_added']);
    const page = await testApp.server.inject({ url: `/rest/v1/listings/${body.listing.slug}` });
    expect(page.json().seller.usc_verified).toBe(true);
    const user = await testApp.server.inject({ url: `/rest/v1/users/${person.userId}` });
    expect(page.body + user.body).not.toContain(email);

    // Repeating the request, for example after its response was lost, succeeds as well, even with a
    // wrong code.
    expect(await campusAddressClient.verify(person, '000000')).toMatchObject({
      status: 200,
      body: verified.body,
    });
  });

  test.each([
    ['an address outside the campus', 'ada@home.example', 'Only @usc.edu email addresses are allowed.'],
    ['a subdomain of the campus', 'ada@alumni.usc.edu', 'Only @usc.edu email addresses are allowed.'],
    ['a domain that ends like the campus', 'ada@not-usc.edu', 'Only @usc.edu email addresses are allowed.'],
    ['a look-alike letter', 'ada@u\u0455c.edu', 'Please enter a valid email address.'],
    ['two addresses', 'ada@usc.edu,eve@usc.edu', 'Please enter a valid email address.'],
    ['no address', '', 'Please enter a valid email address.'],
  ])('refuses %s', async (_what, email, sentence) => {
    const person = await campusAddressClient.signInOutside();
    const refused = await campusAddressClient.request(person, email);
    expect(refused).toMatchObject({ status: 400, body: { fields: { email: sentence } } });
    expect(await campusAddressClient.readProfile(person)).toMatchObject({ campus_address: null });
  });

  test('is refused for a person who is already verified', async () => {
    const byLogIn = await testApp.signIn();
    const byStaff = await campusAddressClient.signInOutside();
    await setAccountVerified(testApp.app, byStaff.userId, true);
    const byAddress = await campusAddressClient.signInOutside();
    await campusAddressClient.add(byAddress, campusAddressClient.newAddress());
    for (const person of [byLogIn, byStaff, byAddress]) {
      const email = campusAddressClient.newAddress();
      expect(await campusAddressClient.request(person, email)).toMatchObject({
        status: 409,
        body: { code: 'already_verified', error: 'Your account is already verified.' },
      });
      expect(findMails(email)).toEqual([]);
    }
  });

  test('removing the address removes the badge, and the address can be added again', async () => {
    const person = await campusAddressClient.signInOutside();
    const email = campusAddressClient.newAddress();
    expect(await campusAddressClient.remove(person)).toMatchObject({
      status: 200,
      body: { campus_address: null },
    });
    await campusAddressClient.add(person, email);
    invalidatedUserIds.length = 0;
    const gone = { usc_verified: false, campus_address: null };
    expect(await campusAddressClient.remove(person)).toMatchObject({ status: 200, body: gone });
    expect(await campusAddressClient.remove(person)).toMatchObject({ status: 200, body: gone });
    expect(invalidatedUserIds).toEqual([person.userId]);
    expect(await isVerified(person)).toBe(false);
    testApp.clock.advance(31);
    expect(await campusAddressClient.add(person, email)).toMatchObject({
      status: 200,
      body: { usc_verified: true },
    });
    expect(await listEvents(person)).toEqual([
      'campus_address_added',
      'campus_address_removed',
      'campus_address_added',
    ]);
  });

  test('a badge that an administrator removed stays removed', async () => {
    const person = await campusAddressClient.signInOutside();
    const email = campusAddressClient.newAddress();
    await campusAddressClient.add(person, email);
    await setAccountVerified(testApp.app, person.userId, false);
    expect(await isVerified(person)).toBe(false);
    expect((await searchAccounts(testApp.app, email)).map(({ id }) => id)).toEqual([person.userId]);
    const refusal = {
      status: 403,
      body: {
        code: 'badge_removed',
        error:
          'The verified badge was removed from this account. Write to support@usc.edu if you think this is wrong.',
      },
    };
    testApp.clock.advance(31);
    expect(await campusAddressClient.request(person, campusAddressClient.newAddress())).toMatchObject(
      refusal,
    );
    expect(await campusAddressClient.remove(person)).toMatchObject(refusal);
    expect(await campusAddressClient.request(person, email)).toMatchObject(refusal);
    await setAccountVerified(testApp.app, person.userId, true);
    expect(await isVerified(person)).toBe(true);
  });

  test('a badge that an administrator removed does not return in another account with the same address', async () => {
    const [first, second] = [
      await campusAddressClient.signInOutside(),
      await campusAddressClient.signInOutside(),
    ];
    const email = campusAddressClient.newAddress();
    await campusAddressClient.add(first, email);
    testApp.clock.advance(31);
    await campusAddressClient.request(second, email);
    const code = testApp.codeFor(email);
    await setAccountVerified(testApp.app, first.userId, false);
    expect(await campusAddressClient.verify(second, code)).toMatchObject({
      status: 409,
      body: { code: 'campus_address_taken' },
    });
    testApp.clock.advance(31);
    expect((await campusAddressClient.request(second, email)).status).toBe(200);
    expect(testApp.mails.at(-1)).toMatchObject({
      kind: 'campus_address_taken',
      to: email,
      advice: 'sign_up',
    });
    expect(await isVerified(second)).toBe(false);
    expect(await campusAddressClient.readProfile(first)).toMatchObject({ campus_address: { email } });
  });

  test('a badge that an administrator removed after the code was sent is not set by the code', async () => {
    const person = await campusAddressClient.signInOutside();
    const email = campusAddressClient.newAddress();
    await campusAddressClient.request(person, email);
    await setAccountVerified(testApp.app, person.userId, false);
    expect(await campusAddressClient.verify(person, testApp.codeFor(email))).toMatchObject({ status: 403 });
    expect(await isVerified(person)).toBe(false);
  });
});

describe('one address verifies one account', () => {
  test('a later account that proves the address gets it, and the earlier account is notified by email', async () => {
    const [first, second] = [
      await campusAddressClient.signInOutside('Fay First'),
      await campusAddressClient.signInOutside(),
    ];
    const email = campusAddressClient.newAddress();
    await campusAddressClient.add(first, email);
    invalidatedUserIds.length = 0;
    testApp.clock.advance(31);
    expect(await campusAddressClient.add(second, email)).toMatchObject({
      status: 200,
      body: { usc_verified: true },
    });
    expect(invalidatedUserIds.sort()).toEqual([first.userId, second.userId].sort());
    expect(await campusAddressClient.readProfile(first)).toMatchObject({
      usc_verified: false,
      campus_address: null,
    });
    expect(findMails(first.email)).toContain('campus_address_moved');
    expect(await listEvents(first)).toEqual(['campus_address_added', 'campus_address_moved']);
  });

  test('of several accounts that enter correct codes at once, one gets the address and the badge', async () => {
    const people = await Promise.all([1, 2, 3, 4].map(() => campusAddressClient.signInOutside()));
    const email = campusAddressClient.newAddress();
    const codes: string[] = [];
    for (const person of people) {
      await campusAddressClient.request(person, email);
      codes.push(testApp.codeFor(email));
    }
    const results = await Promise.all(
      people.map((person, index) => campusAddressClient.verify(person, codes[index] ?? '')),
    );
    expect(results.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const profiles = await Promise.all(people.map(campusAddressClient.readProfile));
    const verified = profiles.filter(({ usc_verified }) => usc_verified);
    expect(verified).toMatchObject([{ campus_address: { email } }]);
    expect(profiles.filter(({ campus_address }) => campus_address !== null)).toHaveLength(1);
  });

  test('signing up with an added address moves it to the new account', async () => {
    const person = await campusAddressClient.signInOutside();
    const email = campusAddressClient.newAddress();
    await campusAddressClient.add(person, email);
    expect((await signUp(email)).status).toBe(200);
    expect(await isVerified(person)).toBe(true);
    invalidatedUserIds.length = 0;
    expect((await confirmSignUp(email)).status).toBe(200);
    expect(invalidatedUserIds).toEqual([person.userId]);
    expect(await campusAddressClient.readProfile(person)).toMatchObject({
      usc_verified: false,
      campus_address: null,
    });
    expect(findMails(person.email)).toContain('campus_address_moved');
    // The address is now the log-in address of a confirmed account, so nobody can add it to another
    // one.
    testApp.clock.advance(31);
    await campusAddressClient.request(person, email);
    expect(findMails(email).at(-1)).toBe('campus_address_taken');
  });

  test('an unconfirmed sign-up with the address does not block its owner', async () => {
    const person = await campusAddressClient.signInOutside();
    const email = campusAddressClient.newAddress();
    await signUp(email);
    expect(await campusAddressClient.add(person, email)).toMatchObject({
      status: 200,
      body: { usc_verified: true },
    });
  });

  test('confirming a sign-up while the code is entered leaves the address in one account only', async () => {
    const person = await campusAddressClient.signInOutside();
    const email = campusAddressClient.newAddress();
    await campusAddressClient.request(person, email);
    const code = testApp.codeFor(email);
    await signUp(email);
    const [added] = await Promise.all([campusAddressClient.verify(person, code), confirmSignUp(email)]);
    // If the added address was verified first, confirming the sign-up moved it to the new account. Otherwise,
    // verifying the added address was refused.
    expect(added.status === 200 || added.body.code === 'campus_address_taken').toBe(true);
    expect(await isVerified(person)).toBe(false);
    expect(
      await testApp.sql`SELECT 1 FROM private.campus_addresses WHERE email = ${email} AND verified_at IS NOT NULL`,
    ).toHaveLength(0);
  });

  test('promise 88: nobody can return under the campus address of a suspended account', async () => {
    const suspended = await campusAddressClient.signInOutside();
    const email = campusAddressClient.newAddress();
    await campusAddressClient.add(suspended, email);
    await suspendByCommand(testApp.app, suspended.userId);

    const again = await campusAddressClient.signInOutside();
    expect((await campusAddressClient.request(again, email)).status).toBe(200);
    expect(findMails(email).at(-1)).toBe('campus_address_taken');
    await signUp(email);
    expect(await confirmSignUp(email)).toMatchObject({ status: 409, body: { code: 'campus_address_taken' } });
    expect(
      await testApp.sql`
      SELECT 1 FROM users JOIN private.credentials ON user_id = id
      WHERE email = ${email} AND confirmed_at IS NOT NULL`,
    ).toHaveLength(0);

    await liftSuspensionOf(testApp.app, suspended.userId);
    expect(await isVerified(suspended)).toBe(true);
  });

  test('a suspension that is not committed yet keeps the address from moving', async () => {
    const [suspended, again] = [
      await campusAddressClient.signInOutside(),
      await campusAddressClient.signInOutside(),
    ];
    const email = campusAddressClient.newAddress();
    await campusAddressClient.add(suspended, email);
    testApp.clock.advance(31);
    await campusAddressClient.request(again, email);
    const code = testApp.codeFor(email);
    const verifying = await testApp.sql.begin(async (tx) => {
      await tx`
        UPDATE private.credentials SET suspended_at = ${testApp.clock.now()} WHERE user_id = ${suspended.userId}`;
      const answer = campusAddressClient.verify(again, code);
      const isWaiting = async () =>
        (
          await testApp.sql`SELECT 1 FROM pg_stat_activity
          WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`
        ).length > 0;
      const waiting = expect.poll(isWaiting).toBe(true);
      await Promise.race([waiting, answer]);
      return { answer };
    });
    expect(await verifying.answer).toMatchObject({ status: 409, body: { code: 'campus_address_taken' } });
    expect(await listEvents(suspended)).toEqual(['campus_address_added']);
  });

  test('deleting the account frees the address and leaves no trace', async () => {
    const accounts = createAccountClient(testApp);
    const person = await campusAddressClient.signInOutside();
    const email = campusAddressClient.newAddress();
    await campusAddressClient.add(person, email);
    await testApp.sql`
      INSERT INTO private.mailbox (recipient, subject, text_body, html_body, created_at)
      VALUES (${email}, 'Your code', '123456', '123456', ${testApp.clock.now()})`;
    await accounts.deleteAccount(person);
    expect(await accounts.findTraces(person.userId, email)).toEqual([]);
    expect(await campusAddressClient.add(await campusAddressClient.signInOutside(), email)).toMatchObject({
      status: 200,
    });
  });
});

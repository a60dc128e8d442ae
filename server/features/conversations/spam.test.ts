import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newAccountSeconds } from '#contract/limits.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createConversationClient, insertDeskListing } from '#server/testing/conversations.ts';
import { sendRequest } from '#server/testing/requests.ts';

let testApp: TestApp;
let client: ReturnType<typeof createConversationClient>;
let sellers: Person[];
let statements: string[];

beforeAll(async () => {
  statements = [];
  testApp = await startTestApp({ onStatement: (statement) => statements.push(statement) });
  client = createConversationClient(testApp);
  sellers = [await testApp.signIn(), await testApp.signIn(), await testApp.signIn()];
});
afterAll(() => testApp.close());
beforeEach(() => testApp.sql`DELETE FROM private.moderation_cases`);

const spam = 'Hello! I buy used furniture of all kinds for cash, please write to me about what you have.';
const count = { value: 0 };
const nextListing = () => insertDeskListing(testApp, sellers[count.value++ % 3] as Person);
/** Sends the first message of a new conversation. Returns the status and the body of the response. */
const write = async (person: Person, text: string) => {
  const { body } = await client.open(person, await nextListing());
  return client.send(person, body.id, text);
};
const signIn = (isVerified: boolean) =>
  testApp.signIn(isVerified ? {} : { email: `${randomUUID()}@example.com` });
/**
 * Makes a person's conversations older. Advancing the clock instead would expire the access tokens, which live for an
 * hour.
 */
const letHoursPass = (person: Person, hours = 1) =>
  testApp.sql`UPDATE conversations SET created_at = created_at - make_interval(hours => ${hours}::int)
    WHERE buyer_id = ${person.userId}`;
const setOlder = (person: Person) =>
  testApp.sql`UPDATE users SET created_at = ${new Date(testApp.clock.now().getTime() - newAccountSeconds * 1000)}
    WHERE id = ${person.userId}`;
/** Writes until a message is refused. Returns the number of messages that were sent, and the refusal. */
const writeUntilRefused = async (person: Person, toText: (index: number) => string) => {
  for (let sent = 0; sent < 100; sent += 1) {
    const { status, body } = await write(person, toText(sent));
    if (status !== 200) return { sent, status, code: body.code, error: body.error };
  }
  throw new Error('No message was refused');
};
const listCases = () =>
  testApp.sql<{ person_id: string; subject: string; kind: string; detail: string; risk: number }[]>`
    SELECT c.person_id, c.subject, c.risk, s.kind, s.detail
    FROM private.moderation_cases c JOIN private.moderation_signals s ON s.case_id = c.id`;

describe('nearly the same first message to many people', () => {
  test('a new unverified account may send it to three people; three more later open a moderation case', async () => {
    const spammer = await signIn(false);
    const toText = (index: number) => `${spam} Number ${index}!`;
    const refusal = await writeUntilRefused(spammer, toText);
    expect(refusal).toEqual({
      sent: 3,
      status: 429,
      code: 'rate_limited',
      error:
        "You've sent nearly the same message to many people. You can send it to somebody else in 60 minutes.",
    });
    expect((await write(spammer, 'Is the desk still available? I could pick it up on Friday.')).status).toBe(
      200,
    );
    expect(await listCases()).toEqual([]);
    await letHoursPass(spammer);
    expect(await writeUntilRefused(spammer, toText)).toMatchObject({ sent: 3, status: 429 });
    expect(await listCases()).toEqual([
      {
        person_id: spammer.userId,
        subject: 'user',
        risk: 3,
        kind: 'similar_messages',
        detail: `Sent nearly the same first message to 6 people within a day: “${toText(2)}”`,
      },
    ]);
    await letHoursPass(spammer, 2);
    expect((await write(spammer, spam)).status).toBe(200);
    expect(await listCases()).toHaveLength(1);
  });

  test.each([
    ['a new verified account', { isVerified: true, isOlder: false, sent: 5 }],
    ['an older account without a verified address', { isVerified: false, isOlder: true, sent: 5 }],
    ['an older verified account', { isVerified: true, isOlder: true, sent: 20 }],
  ])(
    '%s may send it to more people than a new unverified account',
    async (_, { isVerified, isOlder, sent }) => {
      const person = await signIn(isVerified);
      if (isOlder) await setOlder(person);
      expect(await writeUntilRefused(person, () => spam)).toMatchObject({ sent, status: 429 });
    },
  );

  test('short questions and different messages are not limited', async () => {
    const person = await signIn(true);
    const texts = [
      'Is the desk still available? I could come by on Friday after class.',
      'Hi! Would you take $30 for the lamp? My roommate has a car this weekend.',
      'Does the bike come with the lock from the second photo, and how tall are you?',
      'Could you measure the shelf for me? I need it below 80 cm in height.',
      'My sister visits in May, so I would love to rent the air mattress from you.',
      'Which edition of the textbook is it, and is there writing in the margins?',
      'Are the two tickets side by side, and do you send them through the app?',
    ];
    for (const text of texts) expect((await write(person, text)).status).toBe(200);
    for (let index = 0; index < 7; index += 1)
      expect((await write(person, 'Is this still available?')).status).toBe(200);
  });

  test('an offer with the same text counts toward the limit', async () => {
    const person = await signIn(false);
    for (let index = 0; index < 3; index += 1) await write(person, spam);
    const offer = async () =>
      sendRequest(testApp, person, 'POST', '/rest/v1/deals', {
        client_id: randomUUID(),
        listing_id: await nextListing(),
        message_text: spam,
      });
    expect(await offer()).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    await letHoursPass(person);
    expect((await offer()).status).toBe(200);
    expect((await write(person, spam)).status).toBe(200);
    expect((await write(person, spam)).status).toBe(200);
    expect((await write(person, spam)).status).toBe(429);
  });

  test('messages of an older verified account are not compared until it starts many conversations', async () => {
    const person = await signIn(true);
    await setOlder(person);
    const isComparison = (statement: string) => statement.includes('similarity(');
    const { body } = await client.open(person, await nextListing());
    statements.length = 0;
    for (let index = 0; index < 5; index += 1) await client.send(person, body.id, spam);
    await write(person, spam);
    expect(statements.filter(isComparison)).toEqual([]);
  });
});

describe('new conversations', () => {
  test.each([
    ['a new account without a verified address', { isOlder: false, sent: 10, wait: '24 hours' }],
    ['an older account without a verified address', { isOlder: true, sent: 30, wait: '60 minutes' }],
  ])('%s may start fewer than a verified account of the same age', async (_, { isOlder, sent, wait }) => {
    const person = await signIn(false);
    if (isOlder) await setOlder(person);
    expect(await writeUntilRefused(person, () => 'Still there?')).toEqual({
      sent,
      status: 429,
      code: 'rate_limited',
      error: `You've started a lot of conversations. You can start another one in ${wait}.`,
    });
  });
});

test('an account without a verified address has at most five open offers', async () => {
  const person = await signIn(false);
  const offer = async () =>
    sendRequest(testApp, person, 'POST', '/rest/v1/deals', {
      client_id: randomUUID(),
      listing_id: await nextListing(),
    });
  for (let index = 0; index < 5; index += 1) expect((await offer()).status).toBe(200);
  expect(await offer()).toMatchObject({
    status: 409,
    body: {
      code: 'too_many_offers',
      error: 'You have 5 open offers. Withdraw one before you make another',
    },
  });
});

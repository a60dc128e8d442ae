import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallDeclaration } from '#contract/calls/declare-call.ts';
import { calls } from '#contract/calls.ts';
import { consoleRoles } from '#contract/console.ts';
import type { BusMessage } from '#contract/realtime.ts';
import { createInProcessBus } from '#server/platform/bus/bus.ts';
import { expectOk, type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { digestDatabase } from '#server/testing/authorization-fixtures.ts';
import {
  type BlockedContactFixtures,
  blockedContactRuleByCall,
  pathParamsOfReadCalls,
} from '#server/testing/blocked-contact-rules.ts';
import { validListingForm } from '#server/testing/listings.ts';
import type { RequestMethod } from '#server/testing/requests.ts';
import { suspendByCommand } from '#server/testing/suspensions.ts';

const refusal = { code: 'contact_refused', error: "You can't contact this person right now." };

let testApp: TestApp;
const sentStatements: string[] = [];
const published: BusMessage[] = [];
beforeAll(async () => {
  const bus = createInProcessBus();
  bus.subscribe(
    (message) => void published.push(message),
    () => {},
  );
  testApp = await startTestApp({
    replace: { bus },
    onStatement: (statement) => sentStatements.push(statement),
  });
});
afterAll(() => testApp.close());

const send = (person: Person, method: RequestMethod, url: string, payload?: object) =>
  testApp.server.inject({ method, url, headers: person.headers, ...(payload ? { payload } : {}) });
const post = (person: Person, url: string, payload: object) => expectOk(send(person, 'POST', url, payload));
const fillPath = (path: string, params: Record<string, string> = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (params[name] === undefined) throw new Error(`${path} needs the parameter ${name}`);
    return params[name];
  });

/**
 * Signs up two people, each of whom has started a conversation about the other's listing; the second person
 * has also made an offer. Returns both people and their data from the first person's point of view.
 */
const createPair = async (): Promise<BlockedContactFixtures> => {
  const me = await testApp.signIn({ fullName: 'Mia Me' });
  const other = await testApp.signIn({ fullName: 'Otto Other' });
  const list = async (seller: Person, title: string): Promise<string> =>
    (await post(seller, '/functions/v1/create-listing', { ...validListingForm, title })).listing.id;
  // Advance the clock between steps, because lists are sorted by time.
  const wait = () => testApp.clock.advance(1);
  const ownListing = await list(me, 'A desk of the first person');
  const { id, conversation_id: conversation } = await post(other, '/rest/v1/deals', {
    client_id: randomUUID(),
    listing_id: ownListing,
    message_text: 'Is it still there?',
  });
  wait();
  const writtenAbout = await list(other, 'A chair of the second person');
  const { id: asked } = await post(me, '/rest/v1/conversations', { listing_id: writtenAbout });
  const question = { client_id: randomUUID(), message_text: 'How tall is it?' };
  await post(me, `/rest/v1/conversations/${asked}/messages`, question);
  wait();
  const otherListing = await list(other, 'A lamp of the second person');
  const completedDeal = randomUUID();
  wait();
  const at = testApp.clock.now();
  await testApp.sql`
    INSERT INTO deals (id, conversation_id, buyer_id, seller_id, kind, state, title, price, created_at, changed_at, completed_at)
    VALUES (${completedDeal}, ${conversation}, ${other.userId}, ${me.userId}, 'sale', 'completed', 'A shelf', 5, ${at}, ${at}, ${at})`;
  const wanted = { title: 'A desk', category: 'furniture', maxPrice: null, until: '2026-03-30' };
  const { id: otherWanted } = await post(other, '/rest/v1/me/wanted', { ...wanted, clientId: randomUUID() });
  await testApp.jobs.runAll();
  return { me, other, otherListing, otherWanted, ownListing, conversation, offer: id, completedDeal };
};

/**
 * Ways in which contact between the two people becomes impossible. All of them leave the listings public, as
 * blocking does.
 */
const causes = {
  'the other person blocked me': ({ me, other }: BlockedContactFixtures) =>
    expectOk(send(other, 'PUT', `/rest/v1/me/blocks/${me.userId}`)),
  'I blocked the other person': ({ me, other }: BlockedContactFixtures) =>
    expectOk(send(me, 'PUT', `/rest/v1/me/blocks/${other.userId}`)),
  'the other person is suspended': async ({ other }: BlockedContactFixtures) => {
    await suspendByCommand(testApp.app, other.email);
    await testApp.sql`
      UPDATE listings SET status = 'published', hidden_at = NULL, hidden_with = NULL WHERE user_id = ${other.userId}`;
  },
};
type Cause = keyof typeof causes;

const writingCalls = (Object.entries(calls) as [keyof typeof calls, CallDeclaration][]).filter(
  ([, { method, access }]) => method !== 'GET' && !consoleRoles.some((role) => role === access),
);
const refusedCalls = writingCalls.flatMap(([name, call]) => {
  const rule = blockedContactRuleByCall[name as keyof typeof blockedContactRuleByCall];
  return typeof rule === 'object' && 'refused' in rule ? [{ name, call, toParts: rule.refused }] : [];
});

/** Replaces names and ids, which differ between two pairs of people, so that responses can be compared. */
const normalize = (text: string, { me, other }: BlockedContactFixtures): string => {
  const names = new Map<string, string>();
  return text
    .replaceAll(me.email.split('@')[0] ?? '', 'me')
    .replaceAll(other.email.split('@')[0] ?? '', 'other')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
      if (!names.has(id)) names.set(id, `<id ${names.size + 1}>`);
      return names.get(id) ?? '';
    })
    .replace(/(person)-[a-z0-9]+(?=")/g, '$1-<suffix>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/"next_cursor":"[^"]*"/g, '"next_cursor":"<cursor>"');
};

test('promise 81: every call that writes has a rule for people who may not contact each other', () => {
  expect(Object.keys(blockedContactRuleByCall).sort()).toEqual(writingCalls.map(([name]) => name).sort());
  expect(refusedCalls.length).toBeGreaterThan(4);
});

describe.each(refusedCalls)('promise 81: $name', ({ call, toParts }) => {
  const tryCall = async (cause: Cause) => {
    const pair = await createPair();
    await causes[cause](pair);
    const { params, body } = toParts(pair);
    // Send a request first, so that the session is cached. The statement that checks the session is therefore
    // not counted below.
    await expectOk(send(pair.me, 'GET', '/rest/v1/me'));
    const before = await digestDatabase(testApp);
    sentStatements.length = 0;
    published.length = 0;
    const reply = await send(pair.me, call.method, fillPath(call.path, params), body);
    const statements = [...sentStatements];
    const { date: _, 'x-request-id': __, ...headers } = reply.headers;
    expect(await digestDatabase(testApp)).toBe(before);
    expect(published).toEqual([]);
    return { status: reply.statusCode, body: reply.json(), headers, statements };
  };

  test('is refused in both directions with the same response and statements as for a suspended account', async () => {
    const suspended = await tryCall('the other person is suspended');
    expect(suspended).toMatchObject({ status: 403, body: refusal });
    expect(await tryCall('the other person blocked me')).toEqual(suspended);
    expect(await tryCall('I blocked the other person')).toEqual(suspended);
  });
});

test('promise 81: a blocked person gets the same responses and events as if the other person were suspended', async () => {
  const observe = async (cause: Cause) => {
    const pair = await createPair();
    testApp.mails.length = 0;
    published.length = 0;
    await causes[cause](pair);
    await testApp.jobs.runAll();
    testApp.clock.advance(16 * 60);
    await testApp.jobs.repeatNow('queue-unread-mail');
    const events = published.filter((message) =>
      message.kind === 'read' ? message.user_id === pair.me.userId : message.kind === 'message',
    );
    const responses: Record<string, string> = {};
    for (const [name, { method, path, access }] of Object.entries(calls) as [
      keyof typeof calls,
      CallDeclaration,
    ][]) {
      // Skip public calls, which return the same data to everybody.
      if (method !== 'GET' || access !== 'user') continue;
      const reply = await send(pair.me, method, fillPath(path, pathParamsOfReadCalls[name]?.(pair)));
      responses[name] = normalize(`${reply.statusCode} ${reply.body}`, pair);
    }
    const mails = testApp.mails.filter(({ to }) => to === pair.me.email);
    return {
      responses,
      events: normalize(JSON.stringify(events), pair),
      mails: normalize(JSON.stringify(mails), pair),
    };
  };
  const suspended = await observe('the other person is suspended');
  expect(suspended.responses.getConversation).toContain('"may_write":false');
  expect(suspended.responses.getDeal).toContain('"state":"closed"');
  expect(suspended.events).toContain('message');
  expect(suspended.mails).toContain('unread_messages');
  expect(await observe('the other person blocked me')).toEqual(suspended);
});

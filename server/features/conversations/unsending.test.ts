import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calls } from '#contract/calls.ts';
import { buildMessagePhotoPath, type Message, unsendSeconds } from '#contract/conversations.ts';
import { createAccountClient } from '#server/testing/account-deletion.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createConversationClient } from '#server/testing/conversations.ts';
import { appendEventLine } from '#server/testing/event-lines.ts';

let testApp: TestApp;
let client: ReturnType<typeof createConversationClient>;
let seller: Person;
let buyer: Person;
let stranger: Person;
beforeAll(async () => {
  testApp = await startTestApp({ environment: { QUAD_RATE_LIMITS: 'off' } });
  client = createConversationClient(testApp);
  testApp.clock.set(new Date());
  seller = await testApp.signIn({ fullName: 'Sally Seller' });
  buyer = await testApp.signIn({ fullName: 'Ben Buyer' });
  stranger = await testApp.signIn({ fullName: 'Stella Stranger' });
});
afterAll(() => testApp.close());

const startWith = async (...texts: string[]) => {
  const { id } = await client.begin(buyer, seller);
  const sent: Message[] = [];
  for (const text of texts) sent.push((await client.send(buyer, id, text)).body);
  return { id, sent };
};
const list = async (person: Person, id: string, query = '') =>
  (await client.ask(person, 'GET', client.at(id, `/messages${query}`))).body;
const getConversation = async (person: Person, id: string) =>
  (await client.ask(person, 'GET', client.at(id))).body;
const report = (person: Person, subject_id: string) =>
  client.ask(person, 'POST', '/rest/v1/reports', {
    ...{ subject: 'message', subject_id, reason: 'harassment', text: 'Nasty' },
  });
const listQuotedTexts = async (id: string): Promise<string[]> => {
  const quotes = await testApp.sql<{ content: { messages: { text: string }[] } }[]>`
    SELECT q.content FROM private.moderation_quotes q JOIN private.moderation_cases c ON c.id = q.case_id
    WHERE c.subject_id = ${id}`;
  return quotes.flatMap(({ content }) => content.messages.map(({ text }) => text));
};
const listFiles = async (): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of testApp.app.files.list('message-photos')) keys.push(key);
  return keys;
};
const missing = { status: 404, body: { code: 'message_not_found' } };

describe('unsending a message', () => {
  test('replaces its text for both parties and in the inbox; its number and the others stay', async () => {
    const { id, sent } = await startWith('One', 'A secret', 'Three');
    const secret = sent[1]?.id ?? '';
    const { status, body } = await client.unsend(buyer, id, secret);
    expect(status).toBe(200);
    expect(calls.unsendMessage.output.parse(body)).toEqual(body);
    expect(body).toEqual({ ...sent[1], message_text: 'Message unsent', unsent_number: 1 });
    for (const person of [buyer, seller]) {
      const { items, unsent_count } = await list(person, id);
      expect(items).toEqual([sent[0], body, sent[2]]);
      expect(unsent_count).toBe(1);
    }
    await client.unsend(buyer, id, sent[2]?.id ?? '');
    expect((await getConversation(seller, id)).last_message.message_text).toBe('Message unsent');
    const [stored] = await testApp.sql`SELECT 1 FROM messages m WHERE m::text LIKE '%A secret%'`;
    expect(stored).toBeUndefined();
  });

  test('is possible until 10 minutes after it was sent', async () => {
    const { id, sent } = await startWith('One', 'Two');
    testApp.clock.advance(unsendSeconds - 1);
    expect((await client.unsend(buyer, id, sent[0]?.id ?? '')).status).toBe(200);
    testApp.clock.advance(2);
    expect(await client.unsend(buyer, id, sent[1]?.id ?? '')).toEqual({
      status: 409,
      body: { code: 'message_unsend_late', error: 'It is too late to unsend this message.' },
    });
    // It was unsent in time, so doing it again is no error.
    expect((await client.unsend(buyer, id, sent[0]?.id ?? '')).status).toBe(200);
  });

  test('twice, also at the same time, or sending it again, changes nothing', async () => {
    const { id, sent } = await startWith('Sorry');
    const [message] = sent;
    const answers = await Promise.all([1, 2, 3].map(() => client.unsend(buyer, id, message?.id ?? '')));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await client.send(buyer, id, 'Sorry', message?.client_id)).toEqual(answers[0]);
    expect((await list(buyer, id)).items).toEqual([answers[0]?.body]);
  });

  test('looks for everything but an own text like a message that does not exist', async () => {
    const { id, sent } = await startWith('Mine');
    const other = await startWith('Elsewhere');
    await appendEventLine(testApp, { conversationId: id, actorId: buyer.userId });
    const line = (await list(buyer, id)).items.at(-1);
    const mine = sent[0]?.id ?? '';
    for (const [person, conversation, message] of [
      [seller, id, mine],
      [stranger, id, mine],
      [buyer, other.id, mine],
      [buyer, id, line.id],
      [buyer, id, randomUUID()],
      [buyer, randomUUID(), mine],
    ] as const)
      expect(await client.unsend(person, conversation, message)).toMatchObject(missing);
    expect((await list(buyer, id)).items[0]).toEqual(sent[0]);
  });

  test('takes it off the unread count of the other party only', async () => {
    const { id, sent } = await startWith('One', 'Two', 'Three');
    const { body: own } = await client.send(seller, id, 'Yes?');
    await client.unsend(buyer, id, sent[1]?.id ?? '');
    await client.unsend(seller, id, own.id);
    expect((await getConversation(seller, id)).unread_count).toBe(0);
    expect((await getConversation(buyer, id)).unread_count).toBe(0);
    const unreadBefore = (await client.ask(seller, 'GET', '/rest/v1/conversations/unread')).body.unread_total;
    const { body: next } = await client.send(buyer, id, 'Four');
    await client.send(buyer, id, 'Five');
    await client.unsend(buyer, id, next.id);
    expect((await getConversation(seller, id)).unread_count).toBe(1);
    expect((await client.ask(seller, 'GET', '/rest/v1/conversations/unread')).body.unread_total).toBe(
      unreadBefore + 1,
    );
    const read = await client.ask(seller, 'POST', client.at(id, '/read'), { seq: 6 });
    expect(read.body).toMatchObject({ unread_count: 0, unread_total: unreadBefore });
  });

  test('is possible after a block', async () => {
    const { id, sent } = await startWith('Angry words');
    await client.ask(seller, 'PUT', `/rest/v1/me/blocks/${buyer.userId}`);
    expect((await client.unsend(buyer, id, sent[0]?.id ?? '')).status).toBe(200);
    await client.ask(seller, 'DELETE', `/rest/v1/me/blocks/${buyer.userId}`);
  });

  test('deletes its photos at once for readers, and from the store when no report can still copy them', async () => {
    const { id } = await startWith('Look');
    const { id: photo } = await client.uploadPhoto(buyer);
    const { body } = await client.sendPhotos(buyer, id, [photo], { message_text: 'The scratch' });
    const unsent = (await client.unsend(buyer, id, body.id)).body;
    expect(unsent).not.toHaveProperty('photos');
    const url = buildMessagePhotoPath(id, photo);
    for (const { headers } of [buyer, seller])
      expect((await testApp.server.inject({ url, headers })).statusCode).toBe(404);
    expect((await client.sendPhotos(buyer, id, [photo])).body.code).toBe('message_photo_gone');
    const now = testApp.clock.now();
    const listStored = async () => (await listFiles()).filter((key) => key.includes(photo));
    // As long as copying the photos of a report may be repeated while the store fails.
    testApp.clock.advance(17 * 60);
    await testApp.jobs.runAll();
    expect(await listStored()).not.toEqual([]);
    testApp.clock.advance(43 * 60);
    await testApp.jobs.runAll();
    expect(await listStored()).toEqual([]);
    // The sessions of the other tests last an hour.
    testApp.clock.set(now);
    const own = (await createAccountClient(testApp).download(buyer)).body;
    expect(own).not.toContain(photo);
    expect(own).not.toContain('The scratch');
  });

  test('is learned when catching up, also when there are many', async () => {
    const { id, sent } = await startWith('One', 'Two', 'Three');
    for (const { id: message } of sent.toReversed()) await client.unsend(buyer, id, message);
    const caughtUp = await list(seller, id, '?after_seq=3&after_unsent=1');
    expect(caughtUp).toMatchObject({ items: [], more: false, unsent_count: 3 });
    expect(caughtUp.unsent.map(({ seq, unsent_number }: Message) => [seq, unsent_number])).toEqual([
      [2, 2],
      [1, 3],
    ]);
    const page = await list(seller, id, '?after_seq=3&after_unsent=0&limit=2');
    expect(page).toMatchObject({ more: true, unsent: [{ seq: 3 }, { seq: 2 }] });
    expect(await list(seller, id, '?after_seq=3&after_unsent=3')).toMatchObject({ more: false, unsent: [] });
    expect(await list(seller, id)).not.toHaveProperty('unsent');
  });
});

describe('promise 99: an unsent message', () => {
  test('keeps the quote and the photo of a report made before, and cannot be reported afterwards', async () => {
    const { id } = await startWith('Hello');
    const { id: photo } = await client.uploadPhoto(buyer);
    const { body } = await client.sendPhotos(buyer, id, [photo], { message_text: 'You fool' });
    expect((await report(seller, body.id)).status).toBe(200);
    await client.unsend(buyer, id, body.id);
    await testApp.jobs.runAll();
    const now = testApp.clock.now();
    testApp.clock.advance(60 * 60);
    await testApp.jobs.runAll();
    testApp.clock.set(now);
    expect(await listQuotedTexts(body.id)).toEqual(['Hello', 'Photo: You fool']);
    const copies: string[] = [];
    for await (const { key } of testApp.app.files.list('moderation')) copies.push(key);
    expect(copies).toHaveLength(1);
    expect((await listFiles()).filter((key) => key.includes(photo))).toEqual([]);
    const next = (await client.send(buyer, id, 'Fool!')).body;
    await client.unsend(buyer, id, next.id);
    expect((await report(seller, next.id)).body.code).toBe('report_subject_not_found');
  });

  test('has one outcome when it is read, answered, reported and unsent at the same time', async () => {
    for (let round = 0; round < 12; round += 1) {
      const { id, sent } = await startWith('Hello', `Secret of round ${round}`);
      const message = sent[1]?.id ?? '';
      const [unsent, read, reply, reported] = await Promise.all([
        client.unsend(buyer, id, message),
        client.ask(seller, 'POST', client.at(id, '/read'), { seq: 2 }),
        client.reply(seller, id, message, 'What?'),
        report(seller, message),
      ]);
      expect([unsent.status, read.status, reply.status]).toEqual([200, 200, 200]);
      const { items } = await list(seller, id);
      expect(items.map(({ seq }: Message) => seq)).toEqual([1, 2, 3]);
      expect(items[1].message_text).toBe('Message unsent');
      expect(items[2].reply_to).toMatchObject({ seq: 2, message_text: 'Message unsent', is_unsent: true });
      expect((await getConversation(seller, id)).unread_count).toBe(0);
      const quoted = await listQuotedTexts(message);
      if (reported.status === 200) expect(quoted).toContain(`Secret of round ${round}`);
      else expect([reported.body.code, quoted]).toEqual(['report_subject_not_found', []]);
    }
  });

  test('is not stored by the server when it is quoted by a message that replies to it', async () => {
    const { id, sent } = await startWith('A secret to quote');
    await client.reply(seller, id, sent[0]?.id ?? '', 'Really?');
    await client.unsend(buyer, id, sent[0]?.id ?? '');
    for (const table of ['messages', 'conversations', 'due_pushes', 'private.objects', 'testing.job']) {
      const rows = await testApp.sql.query(`SELECT t::text AS row FROM ${table} t`);
      expect(JSON.stringify(rows)).not.toContain('A secret to quote');
    }
  });
});

describe('a reply', () => {
  test('has the beginning of the message it replies to, in every response', async () => {
    const { id, sent } = await startWith('x'.repeat(250));
    const { id: photo } = await client.uploadPhoto(buyer);
    const { body: picture } = await client.sendPhotos(buyer, id, [photo]);
    const first = await client.reply(seller, id, sent[0]?.id ?? '', 'Long story');
    expect(first.body.reply_to).toEqual({
      id: sent[0]?.id,
      seq: 1,
      sender_id: buyer.userId,
      message_text: 'x'.repeat(200),
      has_photos: false,
      photo_id: null,
      is_unsent: false,
    });
    const { id: answer } = await client.uploadPhoto(seller);
    const second = await client.sendPhotos(seller, id, [answer], { reply_to: picture.id });
    expect(second.body.reply_to).toMatchObject({
      ...{ seq: 2, message_text: 'Photo', has_photos: true, photo_id: picture.photos[0].id },
    });
    expect(calls.sendMessage.output.parse(second.body)).toEqual(second.body);
    expect((await list(buyer, id)).items.slice(2)).toEqual([first.body, second.body]);
    const again = await client.ask(seller, 'POST', client.at(id, '/messages'), {
      ...{ client_id: first.body.client_id, message_text: 'Long story', reply_to: sent[0]?.id },
    });
    expect(again).toEqual(first);
    expect((await client.send(buyer, id, 'Hm')).body).not.toHaveProperty('reply_to');
  });

  test('to an unsent message shows that, and is stored', async () => {
    const { id, sent } = await startWith('Oops');
    await client.unsend(buyer, id, sent[0]?.id ?? '');
    const { body } = await client.reply(seller, id, sent[0]?.id ?? '', 'What was that?');
    expect(body.reply_to).toMatchObject({ message_text: 'Message unsent', is_unsent: true });
  });

  test('to a message of another conversation, an unknown one or an event line is refused alike', async () => {
    const { id } = await startWith('Here');
    const elsewhere = await startWith('There');
    await appendEventLine(testApp, { conversationId: id, actorId: buyer.userId });
    const { items } = await list(seller, id);
    const { id: photo } = await client.uploadPhoto(seller);
    for (const target of [elsewhere.sent[0]?.id ?? '', randomUUID(), items[1].id]) {
      expect(await client.reply(seller, id, target, 'Hm')).toMatchObject(missing);
      const withPhoto = await client.sendPhotos(seller, id, [photo], { reply_to: target });
      expect(withPhoto).toMatchObject(missing);
    }
    expect((await client.reply(seller, id, 'no id', 'Hm')).status).toBe(400);
    expect((await list(seller, id)).items).toEqual(items);
    expect((await client.reply(stranger, id, items[0].id, 'Hm')).body.code).toBe('conversation_not_found');
  });
});

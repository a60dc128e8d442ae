import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { calls } from '#contract/calls.ts';
import type { Message } from '#contract/conversations.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createConversationClient, getMessageTexts } from '#server/testing/conversations.ts';

let testApp: TestApp;
let conversationClient: ReturnType<typeof createConversationClient>;
let seller: Person;
let buyer: Person;

beforeAll(async () => {
  testApp = await startTestApp();
  conversationClient = createConversationClient(testApp);
  seller = await testApp.signIn({ fullName: 'Sally Seller' });
  buyer = await testApp.signIn({ fullName: 'Ben Buyer' });
});
beforeEach(() => {
  testApp.mails.length = 0;
});
afterAll(() => testApp.close());

describe('sending', () => {
  test('stores the trimmed text with the next seq and moves the conversation to the top of the inbox', async () => {
    const { id } = await conversationClient.begin(buyer, seller);
    testApp.clock.advance(60);
    const first = await conversationClient.send(buyer, id, '  Is it still there?\r\n ');
    expect(first.status).toBe(200);
    expect(calls.sendMessage.output.parse(first.body)).toEqual(first.body);
    expect(first.body).toMatchObject({
      conversation_id: id,
      seq: 1,
      sender_id: buyer.userId,
      message_text: 'Is it still there?',
      created_at: testApp.clock.now().toISOString(),
    });
    expect((await conversationClient.send(seller, id, 'It is.')).body.seq).toBe(2);
    const { body } = await conversationClient.ask(buyer, 'GET', conversationClient.at(id));
    expect(body.updated_at).toBe(testApp.clock.now().toISOString());
    expect(body.last_message).toMatchObject({ seq: 2, message_text: 'It is.' });
  });

  test.each([
    [{ message_text: '   ' }, 'message_text', 'Please enter a message'],
    [{ message_text: 'x'.repeat(2001) }, 'message_text', 'Message must be at most 2000 characters'],
    [{ message_text: 'a\u0000b' }, 'message_text', 'This text contains characters that cannot be used'],
    [{ client_id: 'seven' }, 'client_id', expect.any(String)],
  ])('%o is refused', async (part, field, sentence) => {
    const { id } = await conversationClient.begin(buyer, seller);
    const payload = { client_id: randomUUID(), message_text: 'hello', ...part };
    const refused = await conversationClient.ask(
      buyer,
      'POST',
      conversationClient.at(id, '/messages'),
      payload,
    );
    expect(refused).toMatchObject({ status: 400, body: { fields: { [field]: sentence } } });
    expect((await conversationClient.ask(buyer, 'GET', conversationClient.at(id))).body.last_message).toBe(
      null,
    );
  });

  test('accepts 2,000 characters of any Unicode plane', async () => {
    const { id } = await conversationClient.begin(buyer, seller);
    expect((await conversationClient.send(buyer, id, '🎒'.repeat(2000))).status).toBe(200);
  });

  test('promise 16: sender and seq in the body are ignored', async () => {
    const { id } = await conversationClient.begin(buyer, seller);
    const payload = {
      client_id: randomUUID(),
      message_text: 'hello',
      sender_id: seller.userId,
      seq: 900,
      conversation_id: randomUUID(),
    };
    const { body } = await conversationClient.ask(
      buyer,
      'POST',
      conversationClient.at(id, '/messages'),
      payload,
    );
    expect(body).toMatchObject({ sender_id: buyer.userId, seq: 1, conversation_id: id });
  });

  test('promise 26: twenty concurrent sends with the same client id create one row and return one response', async () => {
    const { id } = await conversationClient.begin(buyer, seller);
    const clientId = randomUUID();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => conversationClient.send(buyer, id, 'Once', clientId)),
    );
    expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
    expect(responses[0]).toMatchObject({ status: 200, body: { seq: 1, client_id: clientId } });
    expect(
      (await conversationClient.send(buyer, id, 'Another text under the old name', clientId)).body,
    ).toEqual(responses[0]?.body);
    expect((await conversationClient.send(seller, id, 'Next', clientId)).body).toMatchObject({ seq: 2 });
    expect(testApp.mails).toHaveLength(1);
  });

  test('promise 27: sending the same text three times quickly creates three messages', async () => {
    const { id } = await conversationClient.begin(buyer, seller);
    await Promise.all([1, 2, 3].map(() => conversationClient.send(buyer, id, 'Hi')));
    const { items } = (await conversationClient.ask(buyer, 'GET', conversationClient.at(id, '/messages')))
      .body;
    expect(items.map(({ seq }: Message) => seq)).toEqual([1, 2, 3]);
    expect(getMessageTexts(items)).toEqual(['Hi', 'Hi', 'Hi']);
  });

  test('seq has no gaps when both parties send concurrently', async () => {
    const { id } = await conversationClient.begin(buyer, seller);
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        conversationClient.send(index % 2 ? buyer : seller, id, `no. ${index}`),
      ),
    );
    const seqs = responses.map(({ body }) => body.seq).sort((a, b) => a - b);
    expect(seqs).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
  });

  test('promise 26: messages sent to several conversations at once are stored once each, refused ones not at all', async () => {
    const [writer, stranger] = [await testApp.signIn(), await testApp.signIn()];
    const begun = await Promise.all(
      Array.from({ length: 12 }, () => conversationClient.begin(writer, seller)),
    );
    for (const { id } of begun) await conversationClient.send(writer, id, 'Hello');
    const texts = ['NULL', '{a,"b"}', '\\N \\', 'two\nlines', "it's 👍", 'Hello'];
    const clientIds = texts.map(() => randomUUID());
    const responses = await Promise.all(
      texts.flatMap((text, index) =>
        begun.flatMap(({ id }) => [
          conversationClient.send(writer, id, text, clientIds[index]),
          conversationClient.send(stranger, id, 'Not yours', clientIds[index]),
          conversationClient.send(writer, id, text, clientIds[index]),
        ]),
      ),
    );
    for (const [index, { status }] of responses.entries()) expect(status).toBe(index % 3 === 1 ? 404 : 200);
    const answered = new Set(
      responses.filter(({ status }) => status === 200).map(({ body }) => JSON.stringify(body)),
    );
    const stored: Message[] = [];
    for (const { id } of begun) {
      const { items } = (await conversationClient.ask(writer, 'GET', conversationClient.at(id, '/messages')))
        .body;
      expect(items.map(({ seq }: Message) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
      expect(getMessageTexts(items).toSorted()).toEqual(['Hello', ...texts].toSorted());
      stored.push(...items.slice(1));
    }
    expect(answered).toEqual(new Set(stored.map((message) => JSON.stringify(message))));
  });

  test('promise 30: markup and emoji are returned unchanged', async () => {
    const { id } = await conversationClient.begin(buyer, seller);
    const text = '<script>alert(1)</script> 👩‍👩‍👧 "quotes" \\ %_ می‌خواهم';
    expect((await conversationClient.send(buyer, id, text)).body.message_text).toBe(text);
  });

  test('promise 54: right-to-left controls and invisible characters are removed from a message', async () => {
    const { id } = await conversationClient.begin(buyer, seller);
    const { body } = await conversationClient.send(buyer, id, '\u202Eabc\u202C \u2066d\u200Bef\u2069\uFEFF');
    expect(body.message_text).toBe('abc def');
  });

  test('promise 54: a message with only invisible characters is refused as empty', async () => {
    const { id } = await conversationClient.begin(buyer, seller);
    for (const text of ['\u200B', '\u2060\u00AD \u3164', '\u202E\u202C', '\u2800']) {
      expect(await conversationClient.send(buyer, id, text)).toMatchObject({
        status: 400,
        body: { error: 'Please enter a message' },
      });
    }
  });
});

describe('the email to the seller', () => {
  test('is sent once, for the first message, with display names', async () => {
    const { id } = await conversationClient.begin(buyer, seller);
    await conversationClient.send(buyer, id, 'Is it still there?');
    await conversationClient.send(buyer, id, 'Hello?');
    expect(await conversationClient.notify(buyer, id)).toEqual({ status: 200, body: { success: true } });
    expect(testApp.mails).toEqual([
      {
        kind: 'first_message',
        to: seller.email,
        sellerName: 'Sally Seller',
        buyerName: 'Ben Buyer',
        listingTitle: 'Solid oak desk',
        messageText: 'Is it still there?',
        isWritten: true,
        conversationId: id,
        toSeq: 1,
      },
    ]);
  });

  test('promise 28: first messages sent from two tabs cause only one email', async () => {
    const { id } = await conversationClient.begin(buyer, seller);
    await Promise.all(
      [1, 2].map(async (tab) => {
        await conversationClient.send(buyer, id, `tab ${tab}`);
        await conversationClient.notify(buyer, id);
      }),
    );
    expect(testApp.mails).toHaveLength(1);
  });

  test('is queued once by concurrent calls, and not before the first message', async () => {
    const { id } = await conversationClient.begin(buyer, seller);
    await conversationClient.notify(buyer, id);
    expect(testApp.mails).toHaveLength(0);
    await conversationClient.send(buyer, id, 'Hello');
    await testApp.sql`UPDATE conversations SET seller_told_at = NULL WHERE id = ${id}`;
    testApp.mails.length = 0;
    await Promise.all([conversationClient.notify(buyer, id), conversationClient.notify(buyer, id)]);
    expect(testApp.mails).toHaveLength(1);
  });

  test('is not sent if the seller wrote first', async () => {
    const { id } = await conversationClient.begin(buyer, seller);
    await conversationClient.send(seller, id, 'I saw you looking');
    await conversationClient.send(buyer, id, 'Yes');
    expect(testApp.mails).toEqual([]);
  });

  test('is not sent to a seller who turned off emails about messages', async () => {
    await testApp.sql`UPDATE users SET email_messages = false WHERE id = ${seller.userId}`;
    const { id } = await conversationClient.begin(buyer, seller);
    await conversationClient.send(buyer, id, 'Hello');
    await testApp.sql`UPDATE users SET email_messages = true WHERE id = ${seller.userId}`;
    expect(testApp.mails).toEqual([]);
  });

  test('when the mail cannot be queued, the message is not stored', async () => {
    const { id } = await conversationClient.begin(buyer, seller);
    await testApp.sql`ALTER TABLE testing.mail ADD CONSTRAINT nothing_is_queued CHECK (false) NOT VALID`;
    const clientId = randomUUID();
    expect((await conversationClient.send(buyer, id, 'Hello', clientId)).status).toBe(500);
    await testApp.sql`ALTER TABLE testing.mail DROP CONSTRAINT nothing_is_queued`;
    expect((await conversationClient.ask(buyer, 'GET', conversationClient.at(id))).body.last_message).toBe(
      null,
    );
    expect((await conversationClient.send(buyer, id, 'Hello', clientId)).body.seq).toBe(1);
    expect(testApp.mails).toHaveLength(1);
  });
});

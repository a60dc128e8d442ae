import type { Email } from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDealEventLine } from '#contract/testing.ts';
import { createOutbox, mailQueue } from '#server/mail/outbox.ts';
import { startJobQueue } from '#server/platform/jobs.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { silentLog } from '#server/platform/process/log.ts';
import type { Person } from '#server/testing/app.ts';
import { appendEventLine } from '#server/testing/event-lines.ts';
import { startMailTestApp } from '#server/testing/mail-fixtures.ts';
import { queueUnreadMail } from './unread-mail.ts';

type MailFixtures = Awaited<ReturnType<typeof startMailTestApp>>;

const minutesInSeconds = (count: number, seconds = 0): number => count * 60 + seconds;

let server: MailFixtures;
let seller: Person;
let buyer: Person;
let personCount = 0;

beforeAll(async () => {
  server = await startMailTestApp();
});
afterAll(() => server.close());
// Each test creates its own people, so that an email about unread messages that is due in one test is not sent to the
// people of another test.
beforeEach(async () => {
  personCount += 1;
  // 10 a.m. campus time, well outside everyone's quiet hours.
  server.clock.set(new Date('2026-03-02T18:00:00.000Z'));
  seller = await server.signIn({ fullName: `Sally Seller ${personCount}` });
  buyer = await server.signIn({ fullName: `Ben Buyer ${personCount}` });
});

/** Starts a conversation in which the buyer wrote first and the seller was notified. Returns its id. */
const startConversation = async (): Promise<string> => {
  const { id } = await server.talk.begin(buyer, seller);
  await server.talk.send(buyer, id, 'Is the desk still there?');
  await server.deliver();
  return id;
};
const sendMessage = async (person: Person, id: string, text: string): Promise<void> => {
  expect(await server.talk.send(person, id, text)).toMatchObject({ status: 200 });
};
const markRead = (person: Person, id: string, seq: number) =>
  server.talk.ask(person, 'POST', server.talk.at(id, '/read'), { seq });
const setEmailMessagesSetting = (person: Person, email_messages: boolean) =>
  server.server.inject({
    method: 'PATCH',
    url: '/rest/v1/me',
    headers: person.headers,
    payload: { email_messages },
  });
const findHeader = (mail: Email | undefined, name: string) =>
  mail?.headers.find(({ key }) => key === name)?.value;

describe('a person who is away', () => {
  test('gets an email after 15 minutes, not a second earlier, with sender, listing, number of messages and link', async () => {
    const id = await startConversation();
    await sendMessage(seller, id, 'It is. <b>Come</b> and see!');
    await sendMessage(seller, id, 'Today at five?');
    expect(await server.after(minutesInSeconds(14, 59), buyer)).toEqual([]);
    const [mail, ...more] = await server.after(1, buyer);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe(`2 new messages from Sally Seller ${personCount} about "Solid oak desk"`);
    expect(mail?.text).toContain('> It is. <b>Come</b> and see!');
    expect(mail?.text).toContain('> Today at five?');
    expect(mail?.text).toContain(`https://quad.test/messages?c=${id}`);
    expect(mail?.html).toContain('&#60;b&#62;Come');
    expect(mail?.html).not.toContain('<b>Come');
    expect(await server.after(minutesInSeconds(600), buyer)).toEqual([]);
  });

  test('promise 99: gets no email about unsent messages, and one about the others that does not count them', async () => {
    const first = await server.talk.begin(buyer, seller);
    const { body: question } = await server.talk.send(buyer, first.id, 'A secret question');
    await server.talk.unsend(buyer, first.id, question.id);
    await server.deliver();
    expect(server.mailsTo(seller)).toEqual([]);

    const id = await startConversation();
    const { body: answer } = await server.talk.send(seller, id, 'A secret');
    await server.talk.unsend(seller, id, answer.id);
    expect(await server.after(minutesInSeconds(15), buyer)).toEqual([]);
    await sendMessage(seller, id, 'It is.');
    const { body: next } = await server.talk.send(seller, id, 'Another secret');
    await server.talk.unsend(seller, id, next.id);
    const [mail] = await server.after(minutesInSeconds(15), buyer);
    expect(mail?.subject).toMatch(/^New message from/);
    expect(mail?.text).toContain('> It is.');
    expect(mail?.text).not.toContain('secret');
  });

  test('gets one email for three conversations', async () => {
    const ids = [await startConversation(), await startConversation(), await startConversation()];
    for (const [turn, id] of ids.entries()) {
      server.clock.advance(minutesInSeconds(2));
      await sendMessage(seller, id, `Answer ${turn}`);
    }
    expect(await server.after(minutesInSeconds(11) - 1, buyer)).toEqual([]);
    const [mail, ...more] = await server.after(1, buyer);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('3 new messages in 3 conversations');
    for (const [turn, id] of ids.entries()) {
      expect(mail?.text).toContain(`Answer ${turn}`);
      expect(mail?.text).toContain(`/messages?c=${id}`);
    }
    expect(await server.after(minutesInSeconds(60), buyer)).toEqual([]);
  });

  test('gets another email 15 minutes after a later message, about that message only', async () => {
    const id = await startConversation();
    await sendMessage(seller, id, 'It is.');
    expect(await server.after(minutesInSeconds(15), buyer)).toHaveLength(1);
    server.clock.advance(minutesInSeconds(7));
    await sendMessage(seller, id, 'Are you there?');
    expect(await server.after(minutesInSeconds(14, 59), buyer)).toEqual([]);
    const [mail] = await server.after(1, buyer);
    expect(mail?.subject).toMatch(/^New message from/);
    expect(mail?.text).toContain('> Are you there?');
    expect(mail?.text).not.toContain('It is.');
  });

  test('gets an email that describes the other party’s event lines neutrally and omits their own', async () => {
    const id = await startConversation();
    await sendMessage(seller, id, 'It is.');
    const append = (line: Omit<Parameters<typeof appendEventLine>[1], 'conversationId'>) =>
      appendEventLine({ ...server, mails: [] }, { conversationId: id, ...line });
    await append({ actorId: buyer.userId, messageText: 'In cash.' });
    const data = createDealEventLine({ number: 2, transition: 'decline', by: 'seller', from: 'offered' });
    await append({ actorId: seller.userId, data });
    const [mail, ...more] = await server.after(minutesInSeconds(15), buyer);
    expect(more).toEqual([]);
    expect(mail?.subject).toMatch(/^2 new messages from Sally Seller/);
    expect(mail?.text).toContain('> It is.');
    expect(mail?.text).toContain('> The seller declined.');
    expect(mail?.text).not.toContain('The buyer offered');
    expect(mail?.text).not.toContain('In cash.');
  });

  test('gets an email that says that nobody wrote if there are only event lines', async () => {
    const id = await startConversation();
    await sendMessage(seller, id, 'It is.');
    await markRead(buyer, id, 2);
    const data = createDealEventLine({ number: 2, transition: 'decline', by: 'seller', from: 'offered' });
    await appendEventLine({ ...server, mails: [] }, { conversationId: id, actorId: seller.userId, data });
    const [mail] = await server.after(minutesInSeconds(15), buyer);
    expect(mail?.subject).toBe('News about "Solid oak desk"');
    expect(mail?.text).toContain('this happened while you were away:');
    expect(mail?.text).toContain('1 update');
    expect(mail?.text).not.toMatch(/\bmessage\b|wrote/i);
  });

  test('gets mail that quotes no messages if they chose brief emails', async () => {
    const change = { digest_content: 'brief' };
    for (const person of [seller, buyer])
      await server.talk.ask(person, 'PATCH', '/rest/v1/me/notification-settings', change);
    const id = await startConversation();
    expect(server.mailsTo(seller)[0]?.subject).toContain('wrote to you about "Solid oak desk"');
    expect(server.mailsTo(seller)[0]?.text).not.toContain('Is the desk still there?');
    await sendMessage(seller, id, 'It is.');
    await sendMessage(seller, id, 'Come and see!');
    const [mail] = await server.after(minutesInSeconds(15), buyer);
    expect(mail?.subject).toBe(`2 new messages from Sally Seller ${personCount} about "Solid oak desk"`);
    expect(mail?.text).not.toMatch(/It is\.|the last of them/);
  });

  test('gets no mail about messages that were read', async () => {
    const id = await startConversation();
    await sendMessage(seller, id, 'It is.');
    server.clock.advance(minutesInSeconds(10));
    await markRead(buyer, id, 2);
    expect(await server.after(minutesInSeconds(60), buyer)).toEqual([]);
  });

  test('gets no mail if everything was read after the mail was queued', async () => {
    const id = await startConversation();
    await sendMessage(seller, id, 'It is.');
    server.clock.advance(minutesInSeconds(15));
    await server.gather();
    await markRead(buyer, id, 2);
    await server.deliver();
    expect(server.mailsTo(buyer)).toEqual([]);
  });

  test('is considered away from the time they last read or wrote in any conversation', async () => {
    const [left, other] = [await startConversation(), await startConversation()];
    await sendMessage(seller, left, 'It is.');
    server.clock.advance(minutesInSeconds(10));
    await sendMessage(buyer, other, 'And this one?');
    expect(await server.after(minutesInSeconds(5), buyer)).toEqual([]);
    expect(await server.after(minutesInSeconds(9, 59), buyer)).toEqual([]);
    const [mail] = await server.after(1, buyer);
    expect(mail?.text).toContain('> It is.');
  });

  test('sees the last messages of a long conversation, each shortened', async () => {
    const id = await startConversation();
    for (let turn = 1; turn <= 5; turn += 1) await sendMessage(seller, id, `${turn} ${'🎒'.repeat(500)}`);
    const [mail] = await server.after(minutesInSeconds(15), buyer);
    expect(mail?.text).toContain('5 new messages, the last of them:');
    expect(mail?.text?.match(/^> .*$/gm)).toEqual([3, 4, 5].map((turn) => `> ${turn} ${'🎒'.repeat(138)}…`));
  });

  test('gets mail about messages of a deleted account', async () => {
    const id = await startConversation();
    await sendMessage(seller, id, 'It is.');
    await server.sql`DELETE FROM users WHERE id = ${seller.userId}`;
    const [mail] = await server.after(minutesInSeconds(15), buyer);
    expect(mail?.subject).toBe('New message from Deleted user about "Solid oak desk"');
  });
});

describe('a seller', () => {
  test('gets mail about the first message immediately and about later ones in the digest', async () => {
    const id = await startConversation();
    expect(server.mailsTo(seller).map(({ subject }) => subject)).toEqual([
      `Ben Buyer ${personCount} wrote to you about "Solid oak desk"`,
    ]);
    expect(await server.after(minutesInSeconds(30), seller)).toEqual([]);
    await sendMessage(buyer, id, 'I could come today.');
    const [mail] = await server.after(minutesInSeconds(15), seller);
    expect(mail?.text).toContain('> I could come today.');
    expect(mail?.text).not.toContain('Is the desk still there?');
  });

  test('promise 76: gets no mail about a first message that was read before the mail was sent', async () => {
    const { id } = await server.talk.begin(buyer, seller);
    await sendMessage(buyer, id, 'Is the desk still there?');
    await markRead(seller, id, 1);
    await sendMessage(buyer, id, 'I could come today.');
    await server.deliver();
    expect(server.mailsTo(seller)).toEqual([]);
    const [mail] = await server.after(minutesInSeconds(15), seller);
    expect(mail?.text).toContain('> I could come today.');
    expect(mail?.text).not.toContain('Is the desk still there?');
  });

  test('who wrote first gets mail about the reply in the digest', async () => {
    const { id } = await server.talk.begin(buyer, seller);
    await sendMessage(seller, id, 'You were looking for a desk?');
    expect(await server.after(minutesInSeconds(15), buyer)).toHaveLength(1);
    await sendMessage(buyer, id, 'I am!');
    expect(await server.after(minutesInSeconds(14, 59), seller)).toEqual([]);
    expect(await server.after(1, seller)).toHaveLength(1);
  });
});

describe('a person who turned off emails about messages', () => {
  test('gets no mail about messages that arrived meanwhile, not even after turning the emails on again', async () => {
    const id = await startConversation();
    await setEmailMessagesSetting(buyer, false);
    await sendMessage(seller, id, 'It is.');
    expect(await server.after(minutesInSeconds(15), buyer)).toEqual([]);
    await setEmailMessagesSetting(buyer, true);
    expect(await server.after(minutesInSeconds(30), buyer)).toEqual([]);
    await sendMessage(seller, id, 'Hello?');
    const [mail] = await server.after(minutesInSeconds(15), buyer);
    expect(mail?.text).not.toContain('It is.');
  });

  test('gets no mail that was queued before they turned the emails off', async () => {
    const { id } = await server.talk.begin(buyer, seller);
    await sendMessage(buyer, id, 'Is it there?');
    await setEmailMessagesSetting(seller, false);
    await server.deliver();
    expect(server.mailsTo(seller)).toEqual([]);
    await sendMessage(seller, id, 'It is.');
    server.clock.advance(minutesInSeconds(15));
    await server.gather();
    await setEmailMessagesSetting(buyer, false);
    await server.deliver();
    expect(server.mailsTo(buyer)).toEqual([]);
  });

  test('gets no mail after the account is deleted', async () => {
    const { id } = await server.talk.begin(buyer, seller);
    await sendMessage(buyer, id, 'Is it there?');
    await sendMessage(seller, id, 'It is.');
    await server.sql`DELETE FROM users WHERE id = ${buyer.userId}`;
    expect(await server.after(minutesInSeconds(15), buyer)).toEqual([]);
    await server.sql`DELETE FROM users WHERE id = ${seller.userId}`;
    await server.deliver();
    expect(server.mailsTo(buyer)).toEqual([]);
  });
});

describe('a suspended person', () => {
  const setSuspended = (person: Person, isSuspended: boolean) => server.sql`
    UPDATE private.credentials SET suspended_at = ${isSuspended ? server.clock.now() : null}
    WHERE user_id = ${person.userId}`;

  test('gets no mail about unread messages until the suspension ends', async () => {
    const id = await startConversation();
    await sendMessage(seller, id, 'It is.');
    await setSuspended(buyer, true);
    expect(await server.after(minutesInSeconds(15), buyer)).toEqual([]);
    await setSuspended(buyer, false);
    expect(await server.after(60, buyer)).toHaveLength(1);
  });

  test('gets mail that was queued before the suspension only after the suspension ends', async () => {
    const { id } = await server.talk.begin(buyer, seller);
    await sendMessage(buyer, id, 'Is the desk still there?');
    await setSuspended(seller, true);
    await server.deliver();
    expect(server.mailsTo(seller)).toEqual([]);
    await setSuspended(seller, false);
    await sendMessage(buyer, id, 'Hello?');
    server.clock.advance(minutesInSeconds(15));
    await server.gather();
    await setSuspended(seller, true);
    await server.deliver();
    expect(server.mailsTo(seller)).toEqual([]);
    await setSuspended(seller, false);
    const [mail] = await server.after(minutesInSeconds(15), seller);
    expect(mail?.text).toContain('> Is the desk still there?');
    expect(mail?.text).toContain('> Hello?');
  });
});

test('every email about messages has an unsubscribe link and one-click headers', async () => {
  const id = await startConversation();
  await sendMessage(seller, id, 'It is.');
  const [gathered] = await server.after(minutesInSeconds(15), buyer);
  const [first] = server.mailsTo(seller);
  for (const mail of [gathered, first]) {
    const [, url = ''] = /^<(https:\/\/quad\.test\/unsubscribe\/[\w-]{60,200})>$/.exec(
      findHeader(mail, 'list-unsubscribe') ?? '',
    ) ?? [''];
    expect(url).not.toBe('');
    expect(findHeader(mail, 'list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(mail?.text).toContain(`Stop these emails: ${url}`);
    expect(mail?.html).toContain(`href="${url}"`);
  }
});

test('if queuing mail about unread messages fails, a later run queues it', async () => {
  const id = await startConversation();
  await sendMessage(seller, id, 'It is.');
  server.clock.advance(minutesInSeconds(15));
  const send = async () => {
    throw new Error('the mail server failed');
  };
  const failing = queueUnreadMail({ ...server.app, mail: { ...server.app.mail, send } });
  await expect(failing).rejects.toThrow('Failed to queue mail about unread messages');
  expect(await server.after(0, buyer)).toHaveLength(1);
});

test('a locked conversation does not delay mail about other conversations', async () => {
  const held = await startConversation();
  await sendMessage(seller, held, 'It is.');
  const secondBuyer = await server.signIn();
  const { id } = await server.talk.begin(secondBuyer, seller);
  await sendMessage(seller, id, 'You were looking for a desk?');
  server.clock.advance(minutesInSeconds(15));
  await server.sql.begin(async (tx) => {
    await tx`SELECT FROM conversations WHERE id = ${held} FOR UPDATE`;
    await expect(server.gather()).rejects.toThrow('Failed to queue mail about unread messages');
  });
  await server.deliver();
  expect(server.mailsTo(secondBuyer)).toHaveLength(1);
  expect(await server.after(60, buyer)).toHaveLength(1);
});

test('two processes on one database send each person one email, however often they run', async () => {
  const people = [buyer, await server.signIn(), await server.signIn()];
  for (const person of people) {
    for (let turn = 0; turn < 3; turn += 1) {
      const { id } = await server.talk.begin(person, seller);
      await sendMessage(person, id, 'Is it there?');
      await sendMessage(seller, id, `Answer ${turn}`);
    }
  }
  server.clock.advance(minutesInSeconds(15));
  const processes = await Promise.all(
    [1, 2].map(async () => {
      const sql = openDatabase(server.databaseUrl, { max: 4 });
      const jobs = await startJobQueue(server.databaseUrl, [mailQueue], silentLog);
      await server.startMailWorkerOn(jobs);
      return { sql, jobs, app: { ...server.app, sql, mail: createOutbox(jobs, server.pepper) } };
    }),
  );
  const everyone = Array.from({ length: 5 }, () => processes.map(({ app }) => queueUnreadMail(app))).flat();
  await Promise.all(everyone);
  await expect.poll(() => server.sql`SELECT FROM pgboss.job WHERE state < 'completed'`).toEqual([]);
  for (const person of people) {
    expect(server.mailsTo(person).map(({ subject }) => subject)).toEqual([
      '3 new messages in 3 conversations',
    ]);
  }
  for (const { jobs, sql } of processes) {
    await jobs.stop();
    await sql.end();
  }
});

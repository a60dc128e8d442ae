import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Person, testPassword } from '#server/testing/app.ts';
import { startMailTestApp } from '#server/testing/mail-fixtures.ts';

let server: Awaited<ReturnType<typeof startMailTestApp>>;
let seller: Person;
let buyer: Person;
beforeAll(async () => {
  server = await startMailTestApp();
});
afterAll(() => server.close());
beforeEach(async () => {
  // 22:30 on the campus; the quiet hours end at 8:00, nine and a half hours later.
  server.clock.set(new Date('2026-03-03T06:30:00.000Z'));
  seller = await server.signIn({ fullName: 'Sally Seller' });
  buyer = await server.signIn({ fullName: 'Ben Buyer' });
  await chooseQuietHours(seller);
});

const untilEight = 9.5 * 3600;
/** Gives a person other quiet hours than those that everybody has at first. */
const chooseQuietHours = (person: Person) =>
  server.talk.ask(person, 'PATCH', '/rest/v1/me/notification-settings', {
    quiet_hours: { from: 21, until: 8 },
  });
const stopQuietHours = (person: Person) =>
  server.talk.ask(person, 'PATCH', '/rest/v1/me/notification-settings', {
    quiet_hours: { from: 0, until: 0 },
  });
/** Starts a conversation in which the buyer wrote the first message. */
const begin = async (): Promise<string> => {
  const { id } = await server.talk.begin(buyer, seller);
  await server.talk.send(buyer, id, 'Is the desk still there?');
  await server.deliver();
  return id;
};
const subjectsTo = (person: Person) => server.mailsTo(person).map(({ subject }) => subject);

describe('in quiet hours that nobody chose', () => {
  test('the first message is emailed at once, and later ones when they end', async () => {
    seller = await server.signIn({ fullName: 'Sue Seller' });
    const id = await begin();
    expect(subjectsTo(seller)).toEqual(['Ben Buyer wrote to you about "Solid oak desk"']);
    await server.talk.send(buyer, id, 'I could come by now.');
    expect(await server.after(untilEight - 1, seller)).toEqual([]);
    expect(await server.after(1, seller)).toHaveLength(1);
  });
});

describe('promise 75: in quiet hours, emails about messages wait', () => {
  test('the first message is emailed when the quiet hours end', async () => {
    await begin();
    expect(await server.after(untilEight - 1, seller)).toEqual([]);
    const [mail, ...more] = await server.after(1, seller);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('New message from Ben Buyer about "Solid oak desk"');
    expect(mail?.text).toContain('Is the desk still there?');
    expect(await server.after(3600, seller)).toEqual([]);
  });

  test('a person who ends their quiet hours gets the email at once', async () => {
    await begin();
    expect(await server.after(3000, seller)).toEqual([]);
    await stopQuietHours(seller);
    expect(await server.after(60, seller)).toHaveLength(1);
  });

  test('nothing is emailed about messages that were read in the meantime', async () => {
    const id = await begin();
    await server.talk.ask(seller, 'POST', server.talk.at(id, '/read'), { seq: 1 });
    expect(await server.after(untilEight, seller)).toEqual([]);
  });

  test('later messages share one email, and people without quiet hours get theirs after 15 minutes', async () => {
    await stopQuietHours(buyer);
    const id = await begin();
    await server.talk.send(seller, id, 'It is.');
    await server.talk.send(buyer, id, 'Can I come by?');
    await server.talk.send(seller, id, 'Tomorrow at five.');
    expect(await server.after(15 * 60, buyer)).toHaveLength(1);
    await server.talk.send(buyer, id, 'See you then');
    expect(await server.after(untilEight - 15 * 60 - 1, seller)).toEqual([]);
    // Replying has marked the first two messages as read by the seller.
    expect((await server.after(1, seller)).map(({ subject }) => subject)).toEqual([
      'New message from Ben Buyer about "Solid oak desk"',
    ]);
  });

  test('an email that was queued before the quiet hours, and delayed until they began, waits for their end', async () => {
    server.clock.set(new Date('2026-03-03T05:40:00.000Z'));
    [seller, buyer] = [await server.signIn(), await server.signIn()];
    const id = await begin();
    await server.talk.send(seller, id, 'It is.');
    server.clock.advance(16 * 60);
    await server.gather();
    server.clock.advance(5 * 60);
    await server.deliver();
    expect(subjectsTo(buyer)).toEqual([]);
    await server.after(untilEight, buyer);
    expect((await server.after(30 * 60, buyer)).concat(server.mailsTo(buyer))).not.toEqual([]);
    expect(subjectsTo(buyer)).toHaveLength(1);
  });
});

describe('security notices', () => {
  const send = async (person: Person): Promise<(string | undefined)[]> => {
    await server.deliver();
    await server.jobs.repeatNow('email-notifications');
    await server.deliver();
    return subjectsTo(person);
  };
  const logIn = async (person: Person, browser = 'Chrome/140.0.0.0 Safari/537.36'): Promise<void> => {
    const response = await server.server.inject({
      method: 'POST',
      url: '/functions/v1/login-password',
      headers: { 'user-agent': `Mozilla/5.0 (X11; Linux x86_64) ${browser}` },
      payload: { email: person.email, password: testPassword },
    });
    expect(response.statusCode).toBe(200);
  };

  test('are emailed at once, even in quiet hours', async () => {
    expect(await send(buyer)).toEqual([]);
    await logIn(buyer);
    expect(await send(buyer)).toEqual(['Log-in on a new device']);
    const [mail] = server.mailsTo(buyer);
    expect(mail?.text).toContain('Mar 2, 10:30 PM');
    expect(mail?.text).not.toContain('Stop these emails');
    const { body } = await server.talk.ask(buyer, 'GET', '/rest/v1/notifications');
    expect(body).toMatchObject({
      items: [{ kind: 'security', path: '/profile?tab=settings&page=security' }],
      unread_total: 1,
    });
  });

  test('contain no text of the User-Agent header', async () => {
    await logIn(buyer, 'Account locked, visit evil.example/1.0 (x)');
    await send(buyer);
    const { body } = await server.talk.ask(buyer, 'GET', '/rest/v1/notifications');
    for (const text of [server.mailsTo(buyer)[0]?.text, JSON.stringify(body.items)]) {
      expect(text).toContain('Somebody logged in to your account with Browser on Linux');
      expect(text).not.toContain('evil.example');
    }
  });

  test('are emailed even if an intruder marked everything as read before', async () => {
    await logIn(buyer);
    await server.deliver();
    await server.talk.ask(buyer, 'POST', '/rest/v1/notifications/read', {});
    expect(await send(buyer)).toEqual(['Log-in on a new device']);
  });

  test('about log-ins on two new devices name both, in the list and in the email', async () => {
    await logIn(buyer, 'Gecko/20100101 Firefox/140.0');
    await logIn(buyer);
    const [subject] = await send(buyer);
    expect(subject).toBe('2 notifications');
    const { body } = await server.talk.ask(buyer, 'GET', '/rest/v1/notifications');
    expect(body).toMatchObject({ items: [{ kind: 'security' }, { kind: 'security' }], unread_total: 2 });
    for (const text of [server.mailsTo(buyer)[0]?.text, JSON.stringify(body.items)]) {
      expect(text).toContain('Firefox on Linux');
      expect(text).toContain('Chrome on Linux');
    }
  });

  test('a changed password is announced', async () => {
    const response = await server.server.inject({
      method: 'PUT',
      url: '/auth/v1/user',
      headers: buyer.headers,
      payload: { password: 'another long pass phrase 42' },
    });
    expect(response.statusCode, response.body).toBe(200);
    expect(await send(buyer)).toEqual(['Your password was changed']);
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { findDealAlert } from '#contract/deal-alerts.ts';
import type { Deal } from '#contract/deals.ts';
import type { App } from '#server/app.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { silentLog } from '#server/platform/process/log.ts';
import type { Person } from '#server/testing/app.ts';
import { startMailTestApp } from '#server/testing/mail-fixtures.ts';
import { explainSentStatements, listExecutedPlanNodes } from '#server/testing/query-plans.ts';
import { sendDealNotices } from './notice-job.ts';
import { lockDealsWithDueNotices, skipDueNotices } from './notice-repository.ts';
import { createDealClient } from './testing.ts';

let server: Awaited<ReturnType<typeof startMailTestApp>>;
let client: ReturnType<typeof createDealClient>;
let seller: Person;
let buyer: Person;
let title: string;
beforeAll(async () => {
  server = await startMailTestApp();
  client = createDealClient(server);
});
afterAll(() => server.close());
beforeEach(async () => {
  // Start on a Monday at 10:00 campus time. The clocks change on Sunday, March 8.
  server.clock.set(new Date('2026-03-02T18:00:00.000Z'));
  seller = await server.signIn({ fullName: 'Sally Seller' });
  buyer = await server.signIn({ fullName: 'Ben Buyer' });
  title = `Desk ${randomUUID().slice(0, 8)}`;
});

const start = async (person: Person, listingId: string, wanted?: object): Promise<Deal> => {
  const { status, body } = await client.start(person, listingId, wanted);
  expect([status, body]).toEqual([200, body]);
  return body;
};
const take = async (person: Person, deal: Deal, transition: string, data?: object): Promise<Deal> => {
  const { status, body } = await client.take(person, deal, transition, data);
  expect([status, body]).toEqual([200, body]);
  return body;
};
const list = (more: object = {}) => client.list(seller, { title, price: 110, ...more });
const hold = async (): Promise<Deal> => take(seller, await start(buyer, await list()), 'accept');
const agree = async (deal: Deal, time: string, proposer = buyer): Promise<Deal> => {
  await take(proposer, deal, 'propose_handover', { place: 'The fountain', times: [time] });
  return take(seller, deal, 'agree_handover', { time });
};

const stopQuietHours = async (...people: Person[]): Promise<void> => {
  for (const person of people)
    await client.request(person, 'PATCH', '/rest/v1/me/notification-settings', {
      quiet_hours: { from: 0, until: 0 },
    });
};

/** Runs the jobs at the given time and returns the emails about deals that each person got. */
const runAt = async (instant: string, ...people: Person[]) => {
  await server.deliver();
  const before = people.map((person) => server.mailsTo(person).length);
  server.clock.set(new Date(instant));
  await server.jobs.repeatNow('apply-deal-deadlines');
  await server.jobs.repeatNow('send-deal-notices');
  await server.deliver();
  return people.map((person, index) =>
    server
      .mailsTo(person)
      .slice(before[index])
      .filter(({ attachments }) => attachments.length === 0),
  );
};
const subjectsAt = async (instant: string, ...people: Person[]) =>
  (await runAt(instant, ...(people.length > 0 ? people : [buyer, seller]))).map((mails) =>
    mails.map(({ subject }) => subject),
  );

test('both parties are warned once, three hours before a hold ends, and can then extend it', async () => {
  await stopQuietHours(buyer, seller);
  const deal = await hold();
  expect(deal.deadline_at).toBe('2026-03-04T18:00:00.000Z');
  expect(await subjectsAt('2026-03-04T14:59:00.000Z')).toEqual([[], []]);
  const [[toBuyer], [toSeller]] = (await runAt('2026-03-04T15:00:00.000Z', buyer, seller)) as [
    never[],
    never[],
  ];
  for (const mail of [toBuyer, toSeller])
    expect(mail).toMatchObject({ subject: `The hold on "${title}" ends Wed, Mar 4, 10:00 AM` });
  const texts = [toBuyer, toSeller].map((mail: { text?: string } | undefined) => mail?.text ?? '');
  expect(texts[0]).toContain('is on hold for you until');
  expect(texts[1]).toContain('is on hold for Ben Buyer until');
  for (const text of texts) {
    expect(text).toContain(`https://quad.test/messages?c=${deal.conversation_id}`);
    expect(text).toContain('We agreed in chat');
    expect(text).toContain('Stop these emails');
  }
  expect(texts.map((text) => text.includes('Keep it on hold'))).toEqual([false, true]);
  expect((await client.get(buyer, deal)).transitions).toContain('agreed_in_chat');
  expect((await client.get(seller, deal)).transitions).toEqual(
    expect.arrayContaining(['agreed_in_chat', 'keep_hold']),
  );
  expect(await subjectsAt('2026-03-04T15:01:00.000Z')).toEqual([[], []]);
});

test('an extended hold causes another warning before its new end, and a hold that has ended causes none', async () => {
  await stopQuietHours(buyer, seller);
  const deal = await hold();
  await runAt('2026-03-04T15:00:00.000Z');
  const kept = await take(seller, deal, 'keep_hold');
  expect(kept.deadline_at).toBe('2026-03-06T18:00:00.000Z');
  const ending = [`The hold on "${title}" ends Fri, Mar 6, 10:00 AM`];
  expect(await subjectsAt('2026-03-06T15:00:00.000Z')).toEqual([ending, ending]);
  await take(buyer, deal, 'agreed_in_chat');
  await take(buyer, deal, 'cancel', { reason: 'I found another one' });
  expect(await subjectsAt('2026-03-09T16:00:00.000Z')).toEqual([[], []]);
});

test('promise 75: a warning waits until quiet hours end, and is sent at once to people who turn theirs off', async () => {
  await hold();
  // At 7:00 in the campus time zone, during quiet hours, the warning is due but not sent.
  expect(await subjectsAt('2026-03-04T15:00:00.000Z')).toEqual([[], []]);
  await stopQuietHours(seller);
  // A postponed email is tried again every minute.
  server.clock.advance(60);
  await server.deliver();
  const ending = [`The hold on "${title}" ends Wed, Mar 4, 10:00 AM`];
  expect(server.mailsTo(seller).map(({ subject }) => subject)).toEqual(expect.arrayContaining(ending));
  expect(await subjectsAt('2026-03-04T15:59:00.000Z')).toEqual([[], []]);
  expect(await subjectsAt('2026-03-04T16:00:00.000Z')).toEqual([ending, []]);
});

test('a handover reminder is sent during quiet hours only if the handover is within three hours', async () => {
  const deal = await hold();
  await client.request(buyer, 'PATCH', '/rest/v1/me/notification-settings', {
    quiet_hours: { from: 17, until: 19 },
  });
  await agree(deal, '2026-03-04T03:00:00.000Z');
  // At 18:00 campus time, an hour before the handover and during the buyer's quiet hours.
  const [toBuyer] = await subjectsAt('2026-03-04T02:00:00.000Z');
  expect(toBuyer).toEqual([`Soon: handover of "${title}", Tue, Mar 3, 7:00 PM`]);
  await client.request(seller, 'GET', '/rest/v1/me');
  const next = await hold();
  await agree(next, '2026-03-05T20:00:00.000Z');
  expect((await subjectsAt('2026-03-05T02:00:00.000Z'))[0]).toEqual([]);
  expect((await subjectsAt('2026-03-05T03:00:00.000Z'))[0]).toEqual([
    // The question about the first handover is sent now, because it became due during quiet hours.
    `Did you meet Sally Seller about "${title}"?`,
    `Reminder: handover of "${title}", Thu, Mar 5, 12:00 PM`,
  ]);
});

test('an offer that expires in a day is announced only to the person whose turn it is', async () => {
  const deal = await start(buyer, await list());
  expect(await subjectsAt('2026-03-03T18:00:00.000Z')).toEqual([
    [],
    [`The offer for "${title}" expires Wed, Mar 4, 10:00 AM`],
  ]);
  await take(seller, deal, 'counter', { price: 120 });
  expect(await subjectsAt('2026-03-04T18:00:00.000Z')).toEqual([
    [`The offer for "${title}" expires Thu, Mar 5, 10:00 AM`],
    [],
  ]);
  await take(buyer, deal, 'decline');
  expect(await subjectsAt('2026-03-05T18:00:00.000Z')).toEqual([[], []]);
});

test('emails call an offer for a free item a request', async () => {
  await start(buyer, await list({ category: 'free', price: 0 }));
  expect(await subjectsAt('2026-03-03T18:00:00.000Z')).toEqual([
    [],
    [`The request for "${title}" expires Wed, Mar 4, 10:00 AM`],
  ]);
});

test('offers that end about the same time are announced in one email', async () => {
  const listingId = await list({ category: 'free', price: 0 });
  for (let minutes = 0; minutes < 12; minutes += 1) {
    const claimant = await server.signIn({ fullName: `Casey ${String.fromCharCode(65 + minutes)}` });
    await start(claimant, listingId);
    server.clock.advance(60);
  }
  const [mails = []] = await runAt('2026-03-03T18:00:00.000Z', seller);
  expect(mails.map(({ subject }) => subject)).toEqual(['12 deals are waiting for an answer']);
  expect(mails[0]?.text).toContain('Casey A');
  expect(mails[0]?.text).toContain('See 2 more');
  expect(await subjectsAt('2026-03-03T19:00:00.000Z', seller)).toEqual([[]]);
});

test('the expiry of offers that wait for another hold is not announced', async () => {
  const listingId = await list();
  const waiting = await start(buyer, listingId);
  const other = await server.signIn();
  await take(seller, await start(other, listingId), 'accept');
  expect(await client.get(buyer, waiting)).toMatchObject({ waiting: true, deadline_at: null });
  expect(await subjectsAt('2026-03-03T20:00:00.000Z')).toEqual([[], []]);
});

test('the new expiry of offers that no longer wait is announced in advance', async () => {
  const listingId = await list({ category: 'free', price: 0 });
  const first = await start(buyer, listingId);
  for (const _ of [1, 2]) {
    server.clock.advance(60);
    await start(await server.signIn(), listingId);
  }
  await take(seller, first, 'accept');
  await take(seller, first, 'cancel', { reason: 'It broke' });
  await server.deliver();
  expect(await subjectsAt('2026-03-03T18:00:00.000Z', seller)).toEqual([
    ['2 deals are waiting for an answer'],
  ]);
});

test('handover reminders are sent at 18:00 the day before and an hour before, even when the clocks change', async () => {
  const deal = await hold();
  // The handover is on Sunday at 14:00 in daylight-saving time; the reminder is due on Saturday at 18:00, still in
  // standard time.
  await agree(deal, '2026-03-08T21:00:00.000Z');
  const when = 'Sun, Mar 8, 2:00 PM';
  expect(await subjectsAt('2026-03-08T01:59:00.000Z')).toEqual([[], []]);
  const reminders = await runAt('2026-03-08T02:00:00.000Z', buyer, seller);
  for (const [mail] of reminders) {
    expect(mail?.subject).toBe(`Reminder: handover of "${title}", ${when}`);
    expect(mail?.text).toContain('The fountain');
    expect(mail?.text).not.toContain('Stop these emails');
  }
  expect(reminders[0]?.[0]?.text).toContain(`you are going to pick up "${title}". You meet Sally Seller`);
  const soon = [`Soon: handover of "${title}", ${when}`];
  expect(await subjectsAt('2026-03-08T19:59:00.000Z')).toEqual([[], []]);
  expect(await subjectsAt('2026-03-08T20:00:00.000Z')).toEqual([soon, soon]);
  expect(await subjectsAt('2026-03-08T20:01:00.000Z')).toEqual([[], []]);
  const { transitions } = await client.get(seller, deal);
  expect(transitions).toEqual(expect.arrayContaining(['here', 'running_late']));
});

test('reminders that were due before the agreement are skipped, and reminders move when the time changes', async () => {
  const deal = await hold();
  server.clock.set(new Date('2026-03-03T02:30:00.000Z'));
  // At 18:30 campus time, after the reminder would have been sent, the parties agree on 9:00 of the next day.
  await agree(deal, '2026-03-03T17:00:00.000Z');
  expect(await subjectsAt('2026-03-03T02:31:00.000Z')).toEqual([[], []]);
  server.clock.set(new Date('2026-03-03T15:00:00.000Z'));
  await agree(deal, '2026-03-03T22:00:00.000Z');
  expect(await subjectsAt('2026-03-03T16:00:00.000Z')).toEqual([[], []]);
  const soon = [`Soon: handover of "${title}", Tue, Mar 3, 2:00 PM`];
  expect(await subjectsAt('2026-03-03T21:00:00.000Z')).toEqual([soon, soon]);
  server.clock.set(new Date('2026-03-03T21:30:00.000Z'));
  // The handover is agreed only 15 minutes before it takes place, too late for a reminder.
  await agree(deal, '2026-03-03T21:45:00.000Z');
  expect(await subjectsAt('2026-03-03T21:31:00.000Z')).toEqual([[], []]);
});

test('three hours after the agreed time, both parties are asked once whether they met', async () => {
  const deal = await agree(await hold(), '2026-03-03T20:00:00.000Z');
  await runAt('2026-03-03T19:00:00.000Z');
  const question = (name: string) => [`Did you meet ${name} about "${title}"?`];
  const [[toBuyer] = [], [toSeller] = []] = await runAt('2026-03-03T23:00:00.000Z', buyer, seller);
  expect([toBuyer?.subject, toSeller?.subject]).toEqual([
    ...question('Sally Seller'),
    ...question('Ben Buyer'),
  ]);
  expect(toBuyer?.text).toContain('Do you have it? Say so, suggest a new time, or cancel.');
  expect(toSeller?.text).toContain('Did you hand it over?');
  expect(await subjectsAt('2026-03-03T23:01:00.000Z')).toEqual([[], []]);
  await take(buyer, deal, 'received');
  expect(await subjectsAt('2026-03-08T20:00:00.000Z')).toEqual([[], []]);
});

test('both parties are warned before a hold ends if nobody has confirmed the handover', async () => {
  const deal = await agree(await hold(), '2026-03-03T20:00:00.000Z');
  await runAt('2026-03-03T23:00:00.000Z');
  expect((await client.get(buyer, deal)).deadline_at).toBe('2026-03-06T20:00:00.000Z');
  const [[toBuyer] = []] = await runAt('2026-03-06T17:00:00.000Z', buyer);
  expect(toBuyer?.subject).toBe(`The hold on "${title}" ends Fri, Mar 6, 12:00 PM`);
  expect(toBuyer?.text).toContain('nobody has confirmed the handover');
  // The answer "We agreed in chat" is not possible once a time is agreed, so the email does not offer it.
  expect(toBuyer?.text).not.toContain('We agreed in chat');
  expect(await subjectsAt('2026-03-06T17:01:00.000Z')).toEqual([[], []]);
});

test('nobody is asked whether they met once the seller confirmed the handover', async () => {
  const deal = await agree(await hold(), '2026-03-03T20:00:00.000Z');
  await runAt('2026-03-03T19:00:00.000Z');
  server.clock.set(new Date('2026-03-03T20:10:00.000Z'));
  await take(seller, deal, 'handed_over');
  expect(await subjectsAt('2026-03-03T23:00:00.000Z')).toEqual([[], []]);
});

test('promise 64: after downtime only notices that are still useful are sent, once', async () => {
  const deal = await agree(await hold(), '2026-03-05T20:00:00.000Z');
  // Simulate downtime: skip every run between the first reminder and 30 minutes before the meeting.
  const soon = [`Soon: handover of "${title}", Thu, Mar 5, 12:00 PM`];
  expect(await subjectsAt('2026-03-05T19:30:00.000Z')).toEqual([soon, soon]);
  // The job does not run again until two days after the meeting, when the question is still useful.
  const [[asked], [askedToo]] = (await subjectsAt('2026-03-07T20:00:00.000Z')) as [string[], string[]];
  expect([asked, askedToo]).toEqual([
    `Did you meet Sally Seller about "${title}"?`,
    `Did you meet Ben Buyer about "${title}"?`,
  ]);
  // The job does not run until after the deadline. By then the deal has lapsed and no notice applies.
  expect((await client.get(buyer, deal)).state).toBe('held');
  expect(await subjectsAt('2026-03-09T20:00:00.000Z')).toEqual([[], []]);
  expect((await client.get(buyer, deal)).state).toBe('lapsed');
});

test('a transition less than a minute before the job runs does not suppress a due notice', async () => {
  const deal = await agree(await hold(), '2026-03-05T20:00:00.000Z');
  await runAt('2026-03-05T02:00:00.000Z');
  server.clock.set(new Date('2026-03-05T19:00:20.000Z'));
  await take(seller, deal, 'here');
  const soon = [`Soon: handover of "${title}", Thu, Mar 5, 12:00 PM`];
  expect(await subjectsAt('2026-03-05T19:01:00.000Z')).toEqual([soon, soon]);
  expect(await subjectsAt('2026-03-05T19:02:00.000Z')).toEqual([[], []]);
});

test('an email that waited for the mail server is dropped when the deal has changed', async () => {
  const deal = await agree(await hold(), '2026-03-05T20:00:00.000Z');
  await server.deliver();
  const before = server.mailsTo(buyer).length;
  server.clock.set(new Date('2026-03-05T02:00:00.000Z'));
  await server.jobs.repeatNow('send-deal-notices');
  await take(seller, deal, 'cancel', { reason: 'It broke' });
  await server.deliver();
  expect(
    server
      .mailsTo(buyer)
      .slice(before)
      .map(({ subject }) => subject),
  ).toEqual([`The handover of "${title}" is cancelled`]);
});

test('people who turned off emails about deals get no warnings, but still get handover reminders', async () => {
  await client.request(buyer, 'PATCH', '/rest/v1/me/notification-settings', {
    channels: { 'deals.email': false },
  });
  const deal = await hold();
  expect((await subjectsAt('2026-03-04T15:00:00.000Z'))[0]).toEqual([]);
  await agree(deal, '2026-03-05T20:00:00.000Z');
  expect((await subjectsAt('2026-03-05T02:00:00.000Z'))[0]).toEqual([
    `Reminder: handover of "${title}", Thu, Mar 5, 12:00 PM`,
  ]);
});

test('suspended and deleted people get no notices; the other party of their deal does', async () => {
  await agree(await hold(), '2026-03-05T20:00:00.000Z');
  await server.sql`UPDATE private.credentials SET suspended_at = now() WHERE user_id = ${buyer.userId}`;
  expect(await subjectsAt('2026-03-05T02:00:00.000Z')).toEqual([
    [],
    [`Reminder: handover of "${title}", Thu, Mar 5, 12:00 PM`],
  ]);
  await server.sql`UPDATE deals SET buyer_id = NULL WHERE buyer_id = ${buyer.userId}`;
  const [, [mail] = []] = await runAt('2026-03-05T19:00:00.000Z', buyer, seller);
  expect(mail?.text).toContain('you meet Deleted user');
});

const rent = async (renter: Person, listingId: string, first_day: string, last_day: string) =>
  take(seller, await start(renter, listingId, { first_day, last_day }), 'accept');
const listRental = () => list({ category: 'rentals', rentalPeriod: 'day', price: 20 });

test('both parties are reminded every morning for a week after the last day, while the item is out', async () => {
  const deal = await rent(buyer, await listRental(), '2026-03-02', '2026-03-04');
  await take(buyer, deal, 'received');
  expect(await subjectsAt('2026-03-04T17:00:00.000Z')).toEqual([[], []]);
  const due = [[`"${title}" was due back on Mar 4`], [`"${title}" is not back yet`]];
  // 9:00 on the campus is an hour earlier in UTC after the clocks change on March 8.
  for (const day of [5, 6, 7]) {
    expect(await subjectsAt(`2026-03-0${day}T16:59:00.000Z`)).toEqual([[], []]);
    expect(await subjectsAt(`2026-03-0${day}T17:00:00.000Z`)).toEqual(due);
  }
  for (const day of ['08', '09', '10', '11'])
    expect(await subjectsAt(`2026-03-${day}T16:00:00.000Z`)).toEqual(due);
  expect(await subjectsAt('2026-03-12T16:00:00.000Z')).toEqual([[], []]);
});

test('when a rental is late on the day of the next one, all three are told in the hour in which it is', async () => {
  const listingId = await listRental();
  const request = async (renter: Person, period: Record<string, string>) =>
    take(
      seller,
      await start(renter, listingId, { first_day: '2026-03-05', last_day: '2026-03-05', ...period }),
      'accept',
    );
  const next = await server.signIn({ fullName: 'Nora Next' });
  await take(buyer, await request(buyer, { first_day: '2026-03-03', return_time: '12:30' }), 'received');
  server.clock.set(new Date('2026-03-04T18:00:00.000Z'));
  await request(next, { pickup_time: '17:15' });
  const askAt = (instant: string) => subjectsAt(instant, buyer, seller, next);
  const notBack = `"${title}" is not back yet`;
  for (const time of ['17:00', '20:30', '20:59'])
    expect(await askAt(`2026-03-05T${time}:00.000Z`)).toEqual([[], [], []]);
  expect(await askAt('2026-03-05T21:00:00.000Z')).toEqual([[], [], [notBack]]);
  expect(await askAt('2026-03-05T21:30:00.000Z')).toEqual([
    [`"${title}" was due back on Mar 5, 12:30 PM`],
    [notBack],
    [],
  ]);
  for (const time of ['22:00', '23:00'])
    expect(await askAt(`2026-03-05T${time}:00.000Z`)).toEqual([[], [], []]);
  expect(await askAt('2026-03-06T01:15:00.000Z')).toEqual([[], [], []]);
});

test('reminders of an overdue rental follow an extension and end with the return', async () => {
  const deal = await rent(buyer, await listRental(), '2026-03-02', '2026-03-04');
  await take(buyer, deal, 'received');
  await take(buyer, deal, 'extend', { last_day: '2026-03-06' });
  await take(seller, deal, 'accept_extension');
  expect(await subjectsAt('2026-03-05T17:00:00.000Z')).toEqual([[], []]);
  expect(await subjectsAt('2026-03-07T17:00:00.000Z')).toEqual([
    [`"${title}" was due back on Mar 6`],
    [`"${title}" is not back yet`],
  ]);
  await take(buyer, deal, 'returned');
  expect(await subjectsAt('2026-03-08T17:00:00.000Z')).toEqual([[], []]);
});

test('the parties of a rental are not told to suggest a time after its first day', async () => {
  const deal = await rent(buyer, await listRental(), '2026-03-03', '2026-03-05');
  await agree(deal, '2026-03-04T06:00:00.000Z');
  const [[mail] = []] = await runAt('2026-03-04T17:00:00.000Z', buyer);
  expect(mail?.text).toContain('Do you have it? Say so, or cancel.');
});

test('the reminders of a handover name no new time while the listing is in review', async () => {
  await stopQuietHours(buyer);
  const deal = await hold();
  await agree(deal, '2026-03-05T20:00:00.000Z');
  await server.sql`UPDATE listings SET status = 'in_review', held_at = now() WHERE id = ${deal.listing_id}`;
  const [[dayBefore] = []] = await runAt('2026-03-05T02:00:00.000Z', buyer);
  const [[hourBefore] = []] = await runAt('2026-03-05T19:00:00.000Z', buyer);
  for (const mail of [dayBefore, hourBefore]) {
    expect(mail?.text).toContain('The listing is being checked. Until that is done, the deal can only end.');
    expect(mail?.text).not.toMatch(/suggest another time|running late/);
  }
});

test('the parties of a hold whose listing is in review are not told to continue the deal', async () => {
  await stopQuietHours(buyer, seller);
  const deal = await hold();
  await server.sql`UPDATE listings SET status = 'in_review', held_at = now() WHERE id = ${deal.listing_id}`;
  expect(await client.get(seller, deal)).toMatchObject({ state: 'held', transitions: ['cancel'] });
  const mails = (await runAt('2026-03-04T15:00:00.000Z', buyer, seller)).map(([mail]) => mail?.text);
  for (const text of mails) {
    expect(text).toContain('The listing is being checked. Until that is done, the deal can only end.');
    expect(text).not.toMatch(/Agree on a time|We agreed in chat|Keep it on hold/);
  }
});

test('a rental that its renter has not confirmed can be overdue too', async () => {
  const deal = await rent(buyer, await listRental(), '2026-03-02', '2026-03-03');
  server.clock.set(new Date('2026-03-03T22:00:00.000Z'));
  await take(seller, deal, 'handed_over');
  const [[mail] = []] = await runAt('2026-03-04T17:00:00.000Z', buyer);
  expect(mail).toMatchObject({ subject: `"${title}" was due back on Mar 3` });
  expect(mail?.text).toContain('Please bring it back to Sally Seller.');
  expect(mail?.text).toContain('tap "I have it" and then "Returned"');
  expect(mail?.text).toContain('If you never got it, tap "This didn’t happen" in the conversation.');
  expect(await subjectsAt('2026-03-05T17:00:00.000Z')).toEqual([
    [`"${title}" was due back on Mar 3`],
    [`"${title}" is not back yet`],
  ]);
});

test('the owner of an overdue rental is told how to answer', async () => {
  const deal = await rent(buyer, await listRental(), '2026-03-02', '2026-03-04');
  await take(buyer, deal, 'received');
  const [[mail] = []] = await runAt('2026-03-05T17:00:00.000Z', seller);
  expect(mail).toMatchObject({ subject: `"${title}" is not back yet` });
  expect(mail?.text).toContain('by Ben Buyer ended on Mar 4. We remind Ben Buyer, too.');
  expect(mail?.text).toContain('tap "It’s back" in the conversation.');
  expect(mail?.text).toContain('propose a price for the extra days');
});

test.each([
  ['has not been returned', 'buyer', 'received'],
  ['was handed over, but not confirmed', 'seller', 'handed_over'],
])(
  'the next renter is notified on the first day if the item %s, and canceling then does not count as late',
  async (_case, party, transition) => {
    const listingId = await listRental();
    const earlier = await rent(buyer, listingId, '2026-03-02', '2026-03-04');
    server.clock.set(new Date('2026-03-03T20:00:00.000Z'));
    await take(party === 'buyer' ? buyer : seller, earlier, transition);
    const next = await server.signIn({ fullName: 'Nora Next' });
    const deal = await rent(next, listingId, '2026-03-05', '2026-03-07');
    await agree(deal, '2026-03-05T18:00:00.000Z', next);
    expect(await client.get(next, deal)).toMatchObject({ item_overdue: false });
    await runAt('2026-03-05T02:00:00.000Z');
    const [mails = []] = await runAt('2026-03-05T17:00:00.000Z', next);
    expect(mails.map(({ subject }) => subject)).toContain(`"${title}" is not back yet`);
    expect(await subjectsAt('2026-03-05T17:01:00.000Z', next)).toEqual([[]]);
    expect(await client.get(next, deal)).toMatchObject({ item_overdue: true });
    await take(next, deal, 'cancel', { reason: 'It is not back' });
    const [row] = await server.sql`SELECT is_late, cancelled_by FROM deals WHERE id = ${deal.id}`;
    expect(row).toEqual({ is_late: false, cancelled_by: 'buyer' });
  },
);

test('a renter who is accepted after 9:00 on the first day is notified at once if the item is not back', async () => {
  const listingId = await listRental();
  await take(buyer, await rent(buyer, listingId, '2026-03-02', '2026-03-04'), 'received');
  const next = await server.signIn({ fullName: 'Nora Next' });
  server.clock.set(new Date('2026-03-04T18:00:00.000Z'));
  const deal = await start(next, listingId, { first_day: '2026-03-05', last_day: '2026-03-07' });
  await runAt('2026-03-05T17:30:00.000Z', next);
  await take(seller, deal, 'accept');
  expect(await subjectsAt('2026-03-05T17:31:00.000Z', next)).toEqual([[`"${title}" is not back yet`]]);
  expect(await subjectsAt('2026-03-05T17:32:00.000Z', next)).toEqual([[]]);
});

test('the next renter sees no alert about an item that is not back until the first day of their rental', async () => {
  const listingId = await listRental();
  await take(buyer, await rent(buyer, listingId, '2026-03-02', '2026-03-04'), 'received');
  const next = await server.signIn();
  const deal = await rent(next, listingId, '2026-03-20', '2026-03-22');
  const findAlertAt = async (instant: string) => {
    server.clock.set(new Date(instant));
    const now = server.clock.now();
    return findDealAlert(await client.get(next, deal), 'buyer', {
      otherName: 'Sally',
      campus: defaultCampus,
      now,
    })?.title;
  };
  expect(await findAlertAt('2026-03-06T18:00:00.000Z')).toBeUndefined();
  expect(await findAlertAt('2026-03-20T06:59:00.000Z')).not.toBe('It isn’t back yet');
  expect(await findAlertAt('2026-03-20T07:00:00.000Z')).toBe('It isn’t back yet');
});

test('the next renter is not notified if the item was returned in time, and canceling then counts as late', async () => {
  const listingId = await listRental();
  const earlier = await rent(buyer, listingId, '2026-03-02', '2026-03-04');
  await take(buyer, earlier, 'received');
  const next = await server.signIn({ fullName: 'Nora Next' });
  const deal = await rent(next, listingId, '2026-03-05', '2026-03-07');
  await agree(deal, '2026-03-05T18:00:00.000Z', next);
  await take(seller, earlier, 'returned');
  await runAt('2026-03-05T02:00:00.000Z');
  expect(await subjectsAt('2026-03-05T17:00:00.000Z', next)).toEqual([
    [`Soon: handover of "${title}", Thu, Mar 5, 10:00 AM`],
  ]);
  await take(next, deal, 'cancel', { reason: 'I changed my mind' });
  const [row] = await server.sql`SELECT is_late FROM deals WHERE id = ${deal.id}`;
  expect(row).toEqual({ is_late: true });
});
test('every notice is sent once, even if several processes run at the same time and a run fails', async () => {
  for (let count = 0; count < 5; count += 1) {
    title = `Desk ${randomUUID().slice(0, 8)}`;
    await agree(await hold(), '2026-03-05T20:00:00.000Z');
  }
  await server.deliver();
  const before = server.mailsTo(buyer).length;
  server.clock.set(new Date('2026-03-05T02:00:00.000Z'));
  const failing = {
    ...server.app,
    mail: { ...server.mailer, send: () => Promise.reject(new Error('the process was stopped')) },
  };
  await expect(sendDealNotices(failing)).rejects.toThrow('the process was stopped');
  await Promise.all(Array.from({ length: 8 }, () => server.jobs.repeatNow('send-deal-notices')));
  await server.jobs.repeatNow('send-deal-notices');
  await server.deliver();
  const subjects = server
    .mailsTo(buyer)
    .slice(before)
    .map(({ subject }) => subject);
  expect([subjects.length, new Set(subjects).size]).toEqual([5, 5]);
});

test('a deal whose notices fail does not delay other deals, and is tried again', async () => {
  const deals: Deal[] = [];
  for (let count = 0; count < 3; count += 1) {
    title = `Desk ${randomUUID().slice(0, 8)}`;
    deals.push(await agree(await hold(), '2026-03-05T20:00:00.000Z'));
  }
  const broken = deals[1] as Deal;
  server.clock.set(new Date('2026-03-05T02:00:00.000Z'));
  const told: string[] = [];
  const failed: unknown[] = [];
  const app: App = {
    ...server.app,
    log: { ...silentLog, error: (details) => void failed.push(details) },
    mail: {
      ...server.mailer,
      send: async (_, mail) => {
        const notices = mail.kind === 'deal_notices' ? mail.notices : [];
        if (notices.some(({ dealId }) => dealId === broken.id)) throw new Error('refused');
        told.push(...notices.map(({ dealId }) => dealId));
      },
    },
  };
  await expect(sendDealNotices(app)).rejects.toThrow('refused');
  const twice = (ids: string[]) => [...ids, ...ids].sort();
  // After the batch was rolled back, its deals were retried one by one: only the broken deal failed again, and the
  // notices of the others were queued again.
  expect(failed).toEqual([expect.objectContaining({ deal_id: broken.id })]);
  const [row] = await server.sql`
    SELECT array_agg(id::text) AS due FROM deals WHERE next_notice_at <= ${server.clock.now()}`;
  expect(row?.due).toEqual([broken.id]);
  expect(told.slice(-4).sort()).toEqual(twice([deals[0]?.id ?? '', deals[2]?.id ?? '']));
  expect(await subjectsAt('2026-03-05T02:01:00.000Z')).toEqual([
    [expect.stringContaining('Reminder')],
    [expect.stringContaining('Reminder')],
  ]);
});

test('a deal that another transaction has locked is skipped until the next run', async () => {
  const deal = await agree(await hold(), '2026-03-05T20:00:00.000Z');
  const other = openDatabase(server.databaseUrl, { max: 1 });
  const reminder = [`Reminder: handover of "${title}", Thu, Mar 5, 12:00 PM`];
  await other.begin(async (tx) => {
    await tx`SELECT FROM deals WHERE id = ${deal.id} FOR NO KEY UPDATE`;
    expect(await subjectsAt('2026-03-05T02:00:00.000Z')).toEqual([[], []]);
  });
  await other.end();
  expect(await subjectsAt('2026-03-05T02:01:00.000Z')).toEqual([reminder, reminder]);
});

test('finding the deals with a due notice reads only their rows, however many deals are open', async () => {
  const deal = await hold();
  await server.sql`
    INSERT INTO deals (listing_id, conversation_id, buyer_id, seller_id, kind, state, turn, title, price, deadline_at, created_at,
      changed_at, next_notice_at)
    SELECT NULL, ${deal.conversation_id}, ${buyer.userId}, ${seller.userId}, 'sale', 'offered', 'seller', 'Chair', 10,
      '2027-01-01', now(), now(), '2027-01-01'::timestamptz + n * interval '1 minute' FROM generate_series(1, 20000) AS n`;
  await server.sql`ANALYZE deals`;
  const now = new Date('2026-03-04T15:00:00.000Z');
  const plans = await explainSentStatements(server.databaseUrl, (sql) =>
    lockDealsWithDueNotices(sql, { now, limit: 500, except: [] }),
  );
  const nodes = listExecutedPlanNodes(plans).filter((node) => node['Relation Name'] === 'deals');
  await server.sql`DELETE FROM deals WHERE title = 'Chair'`;
  expect(nodes.map((node) => node['Index Name'])).toContain('deals_by_next_notice');
  expect(nodes.every((node) => !node['Node Type'].startsWith('Seq'))).toBe(true);
});

test('after a restore, due notices that the original server may have sent are skipped', async () => {
  const deal = await agree(await hold(), '2026-03-05T20:00:00.000Z');
  await server.sql`UPDATE deals SET next_notice_at = now() - interval '1 day' WHERE id = ${deal.id}`;
  await skipDueNotices(server.sql);
  const [row] =
    await server.sql`SELECT next_notice_at > now() - interval '1 hour' AS is_skipped FROM deals WHERE id = ${deal.id}`;
  expect(row).toEqual({ is_skipped: true });
});

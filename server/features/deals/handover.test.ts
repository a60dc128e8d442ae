import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import ICAL from 'ical.js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { type Deal, dealErrorMessages } from '#contract/deals.ts';
import { renderCalendar } from '#server/features/handovers/public.ts';
import type { Person } from '#server/testing/app.ts';
import { startMailTestApp } from '#server/testing/mail-fixtures.ts';
import { createDealClient } from './testing.ts';

let server: Awaited<ReturnType<typeof startMailTestApp>>;
let client: ReturnType<typeof createDealClient>;
let seller: Person;
let buyer: Person;
let held: Deal;
let title: string;
beforeAll(async () => {
  server = await startMailTestApp();
  client = createDealClient(server);
  seller = await server.signIn({ fullName: 'Sally Seller' });
  buyer = await server.signIn({ fullName: 'Ben Buyer' });
});
afterAll(() => server.close());

const take = async (person: Person, transition: string, data?: object): Promise<Deal> => {
  const { status, body } = await client.take(person, held, transition, data);
  expect([status, body]).toEqual([200, body]);
  return body;
};
beforeEach(async () => {
  server.clock.set(new Date('2026-03-02T18:00:00.000Z'));
  title = `Desk; solid, "oak" ${randomUUID()}`;
  const listingId = await client.list(seller, { title, price: 110 });
  const started = await client.start(buyer, listingId);
  expect([started.status, started.body]).toEqual([200, started.body]);
  held = started.body;
  await take(seller, 'accept');
  await server.deliver();
});

const agree = async (time: string, place = 'The fountain') => {
  await take(buyer, 'propose_handover', { place, times: [time] });
  return take(seller, 'agree_handover', { time });
};
/** Returns the handover emails that a person got in this test, with the parsed entry of each calendar file. */
const readMails = async (person: Person, since: number) => {
  await server.deliver();
  return server
    .mailsTo(person)
    .slice(since)
    .filter(({ attachments }) => attachments.length > 0)
    .map(({ subject, text = '', headers, attachments: [file] }) => {
      const content = file?.content ?? '';
      const source = typeof content === 'string' ? content : new TextDecoder().decode(content);
      return { subject, text, headers, file, source, ...parseCalendar(source) };
    });
};
const parseCalendar = (source: string) => {
  const calendar = new ICAL.Component(ICAL.parse(source));
  const entry = calendar.getFirstSubcomponent('vevent');
  if (!entry) throw new Error('The calendar file has no entry');
  return { method: calendar.getFirstPropertyValue('method'), entry, event: new ICAL.Event(entry) };
};
const readEntry = ({ entry, event }: ReturnType<typeof parseCalendar>) => ({
  uid: event.uid,
  sequence: event.sequence,
  start: event.startDate.toJSDate().toISOString(),
  status: entry.getFirstPropertyValue('status'),
});

test('promise 70: agreement, change and cancellation are mailed to both with one UID and a rising sequence', async () => {
  const [mailsOfBuyer, mailsOfSeller] = [server.mailsTo(buyer).length, server.mailsTo(seller).length];
  // Clocks change on March 8: the first time is in standard time, the second one in daylight-saving time.
  const [first, second] = ['2026-03-07T22:00:00.000Z', '2026-03-09T21:00:00.000Z'];
  await agree(first);
  await agree(second, 'North Library');
  await take(buyer, 'cancel', { reason: 'I found another one' });

  const uid = `deal-${held.id}@quad.test`;
  const mails = await readMails(buyer, mailsOfBuyer);
  expect(mails.map(readEntry)).toEqual([
    { uid, sequence: 1, start: first, status: 'CONFIRMED' },
    { uid, sequence: 2, start: second, status: 'CONFIRMED' },
    { uid, sequence: 3, start: second, status: 'CANCELLED' },
  ]);
  expect(mails.map(({ subject }) => subject)).toEqual([
    `Handover of "${title}": Sat, Mar 7, 2:00 PM`,
    `New time for the handover of "${title}": Mon, Mar 9, 2:00 PM`,
    `The handover of "${title}" is cancelled`,
  ]);
  for (const { method, file, text } of mails) {
    expect([method, file?.mimeType, file?.filename]).toEqual(['PUBLISH', 'text/calendar', 'handover.ics']);
    expect(text).toContain('Hi Ben B');
    expect(text).toContain('Sally S');
    expect(text).not.toContain('Stop these emails');
  }
  expect(mails[1]?.event).toMatchObject({
    summary: `Handover: ${title}`,
    location: 'North Library, University of Southern California',
  });
  const others = await readMails(seller, mailsOfSeller);
  expect(others.map(({ source }) => source)).toEqual(mails.map(({ source }) => source));
  expect(others[0]?.text).toContain('Hi Sally S');
  expect(others[0]?.text).toContain(`you are going to hand over "${title}". You meet Ben B`);
  expect(mails[0]?.text).toContain(`you are going to pick up "${title}". You meet Sally S`);
});

test('a spot’s landmark and the price are named in the email, the calendar and the event lines', async () => {
  const spot = { id: randomUUID(), name: `Hall ${randomUUID()}`, landmark: 'Front steps' };
  await server.sql`INSERT INTO meeting_spots (id, name, landmark) VALUES (${spot.id}, ${spot.name}, ${spot.landmark})`;
  const before = server.mailsTo(buyer).length;
  const time = '2026-03-07T22:00:00.000Z';
  const suggested = await take(seller, 'propose_handover', { spot_id: spot.id, times: [time] });
  expect(suggested.handover?.proposal).toMatchObject({ place: spot.name, landmark: spot.landmark });
  const agreed = await take(buyer, 'agree_handover', { time });
  expect(agreed.handover).toMatchObject({ place: spot.name, landmark: spot.landmark });
  expect((await client.get(seller, held)).handover).toMatchObject({ landmark: spot.landmark });
  const place = `${spot.name}, ${spot.landmark}`;
  const [mail] = await readMails(buyer, before);
  expect(mail?.text).toContain(`on Sat, Mar 7, 2:00 PM (USC time): ${place}.`);
  expect(mail?.text).toContain('The price is $110.');
  expect(mail?.event.location).toBe(`${place}, University of Southern California`);
  const lines = await server.sql<{ data: object; message_text: string }[]>`
    SELECT data, message_text FROM messages WHERE conversation_id = ${held.conversation_id} ORDER BY seq DESC LIMIT 2`;
  for (const line of lines) {
    expect(line.data).toMatchObject({ landmark: spot.landmark });
    expect(line.message_text).toContain(place);
  }
});

test('the email about the handover of a free item names no price', async () => {
  const before = server.mailsTo(buyer).length;
  const listingId = await client.list(seller, { title, category: 'free', price: 0 });
  held = (await client.start(buyer, listingId)).body;
  await take(seller, 'accept');
  await agree('2026-03-07T22:00:00.000Z');
  const [mail] = await readMails(buyer, before);
  expect(mail?.text).toContain(`you are going to pick up "${title}"`);
  expect(mail?.text).not.toContain('price');
});

test('handover emails are sent even to people who turned off emails about messages, and only once per transition', async () => {
  await client.request(buyer, 'GET', '/rest/v1/me');
  await server.sql`UPDATE users SET email_messages = false WHERE id = ${buyer.userId}`;
  const before = server.mailsTo(buyer).length;
  const time = '2026-03-05T20:15:00.000Z';
  await take(buyer, 'propose_handover', { place: 'The fountain', times: [time] });
  const agreement = { client_id: randomUUID(), time };
  await take(seller, 'agree_handover', agreement);
  await take(seller, 'agree_handover', agreement);
  expect(await readMails(buyer, before)).toHaveLength(1);
});

test('ending a hold without an agreed handover mails no calendar file', async () => {
  const before = server.mailsTo(buyer).length;
  await take(buyer, 'propose_handover', { place: 'The fountain', times: ['2026-03-05T20:15:00.000Z'] });
  await take(buyer, 'cancel', { reason: 'I found another one' });
  expect(await readMails(buyer, before)).toEqual([]);
});

test('both parties can download the calendar file once a handover has been agreed on', async () => {
  const download = (person: Person) =>
    server.server.inject({ url: `/rest/v1/deals/${held.id}/calendar`, headers: person.headers });
  const early = await download(buyer);
  expect([early.statusCode, early.json().code]).toEqual([409, 'handover_not_agreed']);
  await agree('2026-03-05T20:15:00.000Z');
  const { statusCode, headers, body } = await download(buyer);
  expect([statusCode, headers['content-type'], headers['content-disposition']]).toEqual([
    200,
    'text/calendar; charset=utf-8',
    'attachment; filename="handover.ics"',
  ]);
  expect(readEntry(parseCalendar(body))).toMatchObject({ sequence: 1, start: '2026-03-05T20:15:00.000Z' });
  expect((await download(seller)).body).toBe(body);
});

test('a handover proposed at a meeting spot takes its name as the place; an unknown spot is refused', async () => {
  const [spot] = await server.sql<{ id: string }[]>`
    INSERT INTO meeting_spots (name) VALUES (${`Plaza ${randomUUID()}`}) RETURNING id, name`;
  const times = ['2026-03-05T20:15:00.000Z'];
  const proposed = await take(buyer, 'propose_handover', { spot_id: spot?.id, times });
  expect(proposed.handover).toMatchObject({ spot_id: spot?.id, place: expect.stringMatching(/^Plaza /) });
  const { status, body } = await client.take(buyer, held, 'propose_handover', {
    spot_id: randomUUID(),
    times,
  });
  expect([status, body.fields]).toEqual([400, { place: dealErrorMessages.place }]);
});

test('only the current suggestion can be agreed to, with both its time and its place', async () => {
  const [earlier, later] = ['2026-03-05T20:15:00.000Z', '2026-03-05T21:15:00.000Z'];
  await take(buyer, 'propose_handover', { place: 'The fountain', times: [earlier] });
  await take(buyer, 'propose_handover', { place: 'North Library', times: [later] });
  for (const outdated of [
    { time: earlier, place: 'The fountain' },
    { time: later, place: 'The fountain' },
  ]) {
    const { status, body } = await client.take(seller, held, 'agree_handover', outdated);
    expect([status, body.code]).toEqual([409, 'deal_moved_on']);
    expect(body.deal.handover).toMatchObject({
      agreed: false,
      proposal: { place: 'North Library', times: [later] },
    });
  }
  const agreed = await take(seller, 'agree_handover', { time: later, place: 'North Library' });
  expect(agreed.handover).toMatchObject({ agreed: true, place: 'North Library', time: later });
});

test.each([
  ['no time', [], dealErrorMessages.times],
  ['four times', Array.from({ length: 4 }, (_, n) => `2026-03-05T2${n}:00:00.000Z`), dealErrorMessages.times],
  ['a time in the past', ['2026-03-02T17:45:00.000Z'], dealErrorMessages.timePast],
  ['a time after 14 days', ['2026-03-16T18:15:00.000Z'], dealErrorMessages.timeFar],
])('a proposal with %s is refused', async (_what, times, sentence) => {
  const { status, body } = await client.take(buyer, held, 'propose_handover', {
    place: 'The fountain',
    times,
  });
  expect([status, body.fields]).toEqual([400, { times: sentence }]);
});

test('a proposal accepts only quarter hours, up to 14 days ahead, across a daylight-saving change', async () => {
  const { body } = await client.take(buyer, held, 'propose_handover', {
    place: 'The fountain',
    times: ['2026-03-05T20:10:00.000Z'],
  });
  expect(Object.values(body.fields)).toEqual([dealErrorMessages.timeQuarter]);
  await take(buyer, 'propose_handover', { place: 'The fountain', times: ['2026-03-16T18:00:00.000Z'] });
});

test('promise 70: any title and place survive escaping and folding, in lines of at most 75 bytes', () => {
  const line = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }).map((text) => text.trim());
  const handover = { dealId: randomUUID(), conversationId: randomUUID(), sequence: 1, isCancelled: false };
  const time = new Date('2026-03-09T21:00:00.000Z');
  fc.assert(
    fc.property(line, line, (anyTitle, place) => {
      const facts = { ...handover, title: anyTitle, place, landmark: null, time, changedAt: time };
      const source = renderCalendar([facts], { campus: defaultCampus, publicUrl: 'https://quad.test' });
      for (const row of source.split('\r\n')) expect(Buffer.byteLength(row)).toBeLessThanOrEqual(75);
      expect(parseCalendar(source).event).toMatchObject({
        summary: `Handover: ${anyTitle}`,
        location: `${place}, ${defaultCampus.name}`,
      });
    }),
  );
});

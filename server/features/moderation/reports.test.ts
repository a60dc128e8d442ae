import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { reportedContentSchema } from '#contract/moderation.ts';
import type { ModerationSignal } from '#server/events.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import { toAssignments } from '#server/platform/postgres/sql-fragments.ts';
import { createAccountClient } from '#server/testing/account-deletion.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createConversationClient } from '#server/testing/conversations.ts';
import { submitListingForm } from '#server/testing/listings.ts';
import { noShowThreshold, openSignal, reportThreshold } from './signals.ts';

let testApp: TestApp;
let conversations: ReturnType<typeof createConversationClient>;
let seller: Person;
let buyer: Person;
beforeAll(async () => {
  testApp = await startTestApp();
  conversations = createConversationClient(testApp);
});
afterAll(() => testApp.close());
beforeEach(async () => {
  seller = await testApp.signIn({ fullName: 'Sally Seller' });
  buyer = await testApp.signIn({ fullName: 'Ben Buyer' });
});

const report = async (reporter: Person, subject: string, id: string, form: object = {}) => {
  const answer = await testApp.server.inject({
    method: 'POST',
    url: '/rest/v1/reports',
    headers: reporter.headers,
    payload: { subject, subject_id: id, reason: 'scam', text: 'Wants money first', ...form },
  });
  return { status: answer.statusCode, body: answer.json() };
};
const listCases = (person: Person) =>
  testApp.sql<
    { id: string; subject: string; risk: number; report_count: number }[]
  >`SELECT id, subject, risk, report_count FROM private.moderation_cases WHERE person_id = ${person.userId} ORDER BY opened_at, subject`;
const listQuotes = async (person: Person) => {
  const rows = await testApp.sql<{ content: unknown }[]>`
    SELECT q.content FROM private.moderation_quotes q JOIN private.moderation_cases c ON c.id = q.case_id
    WHERE c.person_id = ${person.userId} ORDER BY q.quoted_at`;
  return rows.map(({ content }) => reportedContentSchema.parse(content));
};
const listSignals = (person: Person) => testApp.sql<{ kind: string; detail: string; count: number }[]>`
  SELECT kind, detail, count FROM private.moderation_signals s JOIN private.moderation_cases c ON c.id = s.case_id
  WHERE c.person_id = ${person.userId}`;

describe('a report', () => {
  test('of the same subject joins the same case, whose risk grows with the number of reporters', async () => {
    const { body } = await submitListingForm(testApp, seller);
    for (let count = 1; count <= 3; count += 1) {
      expect((await report(await testApp.signIn(), 'listing', body.listing.id)).status).toBe(200);
      expect(await listCases(seller)).toMatchObject([{ report_count: count, risk: count < 3 ? 2 : 3 }]);
    }
  });

  test('by the same person about the same subject returns the first report', async () => {
    const first = await report(buyer, 'user', seller.userId);
    const again = await report(buyer, 'user', seller.userId, { reason: 'spam', text: 'Something new' });
    expect(again).toEqual(first);
    expect(await listCases(seller)).toMatchObject([{ report_count: 1 }]);
  });

  test('opens another case after the first one was resolved', async () => {
    await report(buyer, 'user', seller.userId);
    await testApp.sql`
      UPDATE private.moderation_cases SET resolved_at = ${testApp.clock.now()} WHERE person_id = ${seller.userId}`;
    expect((await report(buyer, 'user', seller.userId)).status).toBe(200);
    expect(await listCases(seller)).toHaveLength(2);
  });

  test('is accepted from several people at the same time, as one case', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => testApp.signIn()));
    const answers = await Promise.all(people.map((person) => report(person, 'user', seller.userId)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await listCases(seller)).toMatchObject([{ report_count: 4 }]);
  });

  test('of oneself, of a missing subject or with an unknown reason is refused', async () => {
    expect((await report(seller, 'user', seller.userId)).body.code).toBe('own_report');
    expect((await report(seller, 'listing', randomUUID())).body.code).toBe('report_subject_not_found');
    expect((await report(buyer, 'user', seller.userId, { reason: 'boring' })).body.fields).toEqual({
      reason: 'Please select a reason',
    });
    expect(await listCases(seller)).toEqual([]);
  });

  test('of a message is refused to people outside its conversation', async () => {
    const { id } = await conversations.begin(buyer, seller);
    const message = await conversations.send(buyer, id, 'Hello');
    const stranger = await testApp.signIn();
    expect((await report(stranger, 'message', message.body.id)).body.code).toBe('report_subject_not_found');
  });
});

describe('promise 86: a report quotes what was reported', () => {
  test('a listing, even if it is changed and deleted afterwards', async () => {
    const { body } = await submitListingForm(testApp, seller, { title: 'A perfectly good desk' });
    await report(buyer, 'listing', body.listing.id);
    await submitListingForm(testApp, seller, { id: body.listing.id, title: 'Nothing to see here' });
    await report(await testApp.signIn(), 'listing', body.listing.id);
    await testApp.server.inject({
      method: 'DELETE',
      url: `/rest/v1/me/listings/${body.listing.id}`,
      headers: seller.headers,
    });
    testApp.clock.advance(60);
    await testApp.jobs.runAll();
    expect(await listQuotes(seller)).toMatchObject([
      { subject: 'listing', title: 'A perfectly good desk' },
      { subject: 'listing', title: 'Nothing to see here' },
    ]);
  });

  test('the new photos of a listing when it is reported again, even if its texts are unchanged', async () => {
    const accounts = createAccountClient(testApp);
    const [first, second] = [await accounts.upload(seller), await accounts.upload(seller)];
    const { body } = await submitListingForm(testApp, seller, { photos: [first.publicUrl] });
    const { id } = body.listing;
    await report(buyer, 'listing', id);
    await report(await testApp.signIn(), 'listing', id);
    expect(await listQuotes(seller)).toHaveLength(1);
    await submitListingForm(testApp, seller, { id, photos: [second.publicUrl] });
    await report(await testApp.signIn(), 'listing', id);
    expect(await listQuotes(seller)).toHaveLength(2);
  });

  test('the photos of a listing, even if its owner deletes them', async () => {
    const accounts = createAccountClient(testApp);
    const photo = await accounts.upload(seller);
    const { body } = await submitListingForm(testApp, seller, { photos: [photo.publicUrl] });
    await report(buyer, 'listing', body.listing.id);
    await testApp.jobs.runAll();
    expect((await accounts.deleteAccount(seller)).status).toBe(200);
    await testApp.jobs.runAll();
    const [quote] = await testApp.sql<{ id: string }[]>`
      SELECT q.id FROM private.moderation_quotes q ORDER BY quoted_at DESC LIMIT 1`;
    const copy = await readFile(join(testApp.dataDir, 'files', 'moderation', quote?.id ?? '', '0.jpg'));
    expect(copy.subarray(0, 2).toString('hex')).toBe('ffd8');
    expect((await testApp.server.inject({ url: photo.publicUrl })).statusCode).toBe(404);
  });

  test('copies of photos, which are deleted after a day if they belong to no quote', async () => {
    const folder = join(testApp.dataDir, 'files', 'moderation');
    const quoted = (await readdir(folder)).length;
    const orphan = join(folder, randomUUID());
    await mkdir(orphan);
    await writeFile(join(orphan, '0.jpg'), 'a copy');
    const at = new Date(testApp.clock.now().getTime() - 25 * 3600 * 1000);
    await utimes(join(orphan, '0.jpg'), at, at);
    await testApp.jobs.repeatNow('remove-quoted-photo-orphans');
    const left = await readdir(folder, { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile())).toHaveLength(quoted);
  });

  test('a message with the five messages before and after it, even if its sender deletes the account', async () => {
    const { id } = await conversations.begin(buyer, seller);
    for (let number = 1; number <= 13; number += 1)
      await conversations.send(number % 2 === 0 ? seller : buyer, id, `Number ${number}`);
    const [reported] = await testApp.sql<{ id: string }[]>`
      SELECT id FROM messages WHERE conversation_id = ${id} AND message_text = 'Number 7'`;
    expect((await report(seller, 'message', reported?.id ?? '')).status).toBe(200);
    const [quote] = await listQuotes(buyer);
    if (quote?.subject !== 'message') throw new Error('The quote is not about a message');
    expect(quote.messages.map(({ text }) => text)).toEqual(
      Array.from({ length: 11 }, (_, index) => `Number ${index + 2}`),
    );
    expect(quote.messages.filter(({ is_reported: isReported }) => isReported)).toMatchObject([
      { text: 'Number 7', from: 'reported' },
    ]);
    expect(quote.messages[0]).toMatchObject({ from: 'other' });
    await createAccountClient(testApp).deleteAccount(buyer);
    const [kept] = await testApp.sql<{ content: unknown }[]>`
      SELECT content FROM private.moderation_quotes WHERE content ->> 'subject' = 'message' ORDER BY quoted_at DESC LIMIT 1`;
    expect(reportedContentSchema.parse(kept?.content)).toEqual(quote);
  });

  test.each([
    [9, 9],
    [3, 7],
  ])(
    'of the messages after a reported one only those until %i that its reporter has seen',
    async (until, last) => {
      const { id } = await conversations.begin(buyer, seller);
      for (let number = 1; number <= 10; number += 1) await conversations.send(buyer, id, `Number ${number}`);
      const listMessages = (text: string) => testApp.sql<{ id: string; seq: number }[]>`
      SELECT id, seq::int FROM messages WHERE conversation_id = ${id} AND message_text = ${text}`;
      const [reported] = await listMessages('Number 7');
      const [seen] = await listMessages(`Number ${until}`);
      const form = { until_seq: seen?.seq };
      expect((await report(seller, 'message', reported?.id ?? '', form)).status).toBe(200);
      const [quote] = await listQuotes(buyer);
      if (quote?.subject !== 'message') throw new Error('The quote is not about a message');
      expect(quote.messages[0]?.text).toBe('Number 2');
      expect(quote.messages.at(-1)?.text).toBe(`Number ${last}`);
    },
  );
});

describe('promise 89: an automatic signal', () => {
  const raise = (signal: ModerationSignal) =>
    runInTransaction(testApp.sql, (tx) => openSignal(testApp.app, tx, signal));

  test('joins the case about its subject, counts repetitions and leaves the listing public', async () => {
    const { body } = await submitListingForm(testApp, seller);
    const wording = { subject: 'listing', subjectId: body.listing.id, kind: 'prohibited_wording' } as const;
    await raise({ ...wording, detail: 'beer' });
    await report(buyer, 'listing', body.listing.id, { reason: 'other' });
    await raise({ ...wording, detail: 'wine', isHeld: true });
    expect(await listCases(seller)).toMatchObject([{ subject: 'listing', risk: 3, report_count: 1 }]);
    expect(await listSignals(seller)).toEqual([{ kind: 'prohibited_wording', detail: 'wine', count: 2 }]);
    expect((await testApp.server.inject({ url: `/rest/v1/listings/${body.listing.slug}` })).statusCode).toBe(
      200,
    );
  });

  test('opens no case about a subject that no longer exists', async () => {
    await raise({
      subject: 'listing',
      subjectId: randomUUID(),
      kind: 'prohibited_wording',
      detail: 'beer',
    });
    await raise({
      subject: 'message',
      subjectId: randomUUID(),
      kind: 'similar_messages',
      detail: 'Same',
    });
    expect(await listCases(seller)).toEqual([]);
  });

  test('is opened about a person whom five people reported within a month', async () => {
    const { body } = await submitListingForm(testApp, seller);
    for (let count = 1; count < reportThreshold.reporters; count += 1)
      await report(await testApp.signIn(), 'listing', body.listing.id);
    expect(await listSignals(seller)).toEqual([]);
    await report(buyer, 'user', seller.userId);
    expect(await listSignals(seller)).toMatchObject([{ kind: 'many_reports', count: 1 }]);
    expect(await listCases(seller)).toMatchObject([{ subject: 'listing' }, { subject: 'user', risk: 3 }]);
  });

  test('is opened when the reports, each about another listing, arrive at the same time', async () => {
    const people = await Promise.all(
      Array.from({ length: reportThreshold.reporters }, () => testApp.signIn()),
    );
    const listings = await Promise.all(
      people.map((_, index) =>
        submitListingForm(testApp, seller, { title: `A perfectly good desk ${index}` }),
      ),
    );
    await testApp.sql.query(`
      CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NULL; END';
      CREATE CONSTRAINT TRIGGER wait_for_test AFTER INSERT ON private.moderation_reports
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait_for_test()`);
    const reports = await testApp.sql.begin(async (tx) => {
      // Until this transaction ends, no report can be committed.
      await tx`SELECT pg_advisory_xact_lock(1)`;
      const sent = people.map((person, index) => report(person, 'listing', listings[index]?.body.listing.id));
      await expect
        .poll(
          () =>
            testApp.sql`SELECT FROM pg_stat_activity WHERE wait_event = 'advisory' AND datname = current_database()`,
        )
        .toHaveLength(people.length);
      return { sent };
    });
    await Promise.all(reports.sent);
    await testApp.sql`DROP FUNCTION wait_for_test CASCADE`;
    expect(await listSignals(seller)).toMatchObject([{ kind: 'many_reports', count: 1 }]);
  });

  test.each([
    ['resolved', {}],
    ['reopened by an appeal', { resolved_at: null }],
  ])(
    'is not opened again for reports already covered by a case about the person that was %s',
    async (_state, columns) => {
      const { body } = await submitListingForm(testApp, seller);
      for (let count = 1; count <= reportThreshold.reporters; count += 1)
        await report(await testApp.signIn(), 'listing', body.listing.id);
      testApp.clock.advance(1);
      const now = testApp.clock.now();
      await testApp.sql`
      UPDATE private.moderation_cases SET ${toAssignments({ resolved_at: now, reopened_at: now, ...columns })}
      WHERE person_id = ${seller.userId}`;
      testApp.clock.advance(1);
      await report(buyer, 'listing', body.listing.id);
      expect((await listCases(seller)).filter(({ subject }) => subject === 'user')).toHaveLength(1);
    },
  );

  test('is opened about a person who missed three meetings and contested none in time', async () => {
    const { id } = await conversations.begin(buyer, seller);
    const addNoShow = (values: { is_contested?: boolean; daysAgo?: number }) => testApp.sql`
      INSERT INTO deals (conversation_id, buyer_id, seller_id, kind, state, title, price, reported, is_contested, created_at,
        changed_at)
      VALUES (${id}, ${buyer.userId}, ${seller.userId}, 'sale', 'no_show', 'A desk', 5, 'seller',
        ${values.is_contested ?? false}, ${testApp.clock.now()},
        ${addSeconds(testApp.clock.now(), -(values.daysAgo ?? 3) * dayInSeconds)})`;
    const watch = () => testApp.jobs.repeatNow('watch-no-shows');
    for (let count = 1; count < noShowThreshold.deals; count += 1) await addNoShow({});
    await addNoShow({ is_contested: true });
    await addNoShow({ daysAgo: 1 });
    await addNoShow({ daysAgo: 100 });
    await watch();
    expect(await listSignals(seller)).toEqual([]);
    await addNoShow({});
    await watch();
    await watch();
    expect(await listSignals(seller)).toEqual([
      { kind: 'no_shows', detail: '3 uncontested no-shows within 90 days.', count: 1 },
    ]);
    await testApp.sql`
      UPDATE private.moderation_cases SET resolved_at = ${testApp.clock.now()} WHERE person_id = ${seller.userId}`;
    await watch();
    expect(await listCases(seller)).toHaveLength(1);
    await testApp.sql`
      UPDATE private.moderation_cases SET resolved_at = NULL, reopened_at = resolved_at WHERE person_id = ${seller.userId}`;
    await testApp.sql`DELETE FROM private.moderation_signals`;
    await watch();
    expect(await listCases(seller)).toHaveLength(1);
  });
});

test('a report of a listing that was taken down is refused', async () => {
  const { body } = await submitListingForm(testApp, seller);
  await testApp.sql`
    UPDATE listings SET status = 'draft', hidden_at = now(), hidden_with = 'listing', hidden_reason = 'No'
    WHERE id = ${body.listing.id}`;
  expect((await report(buyer, 'listing', body.listing.id)).body.code).toBe('report_subject_not_found');
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CaseAction, type ModerationCase, maxQuotesShownPerCase } from '#contract/moderation.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { applyModerationActions, signInToConsole } from '#server/testing/console.ts';
import { insertPhoto, type ListingForm, submitListingForm } from '#server/testing/listings.ts';
import { type RequestMethod, sendRequest } from '#server/testing/requests.ts';

const vodka = { title: 'A bottle of vodka from a party' };
let testApp: TestApp;
let moderator: Person;
let seller: Person;
let reporter: Person;
let listing: { id: string; slug: string };
let caseId: string;

const ask = (person: Person, method: RequestMethod, url: string, payload?: object) =>
  sendRequest(testApp, person, method, url, payload);
const getCase = async (id = caseId): Promise<ModerationCase> =>
  (await ask(moderator, 'GET', `/rest/v1/moderation/cases/${id}`)).body;
const choose = (action: CaseAction, form: object = {}) =>
  ask(moderator, 'POST', `/rest/v1/moderation/cases/${caseId}/actions`, {
    action,
    reason: 'Counterfeit',
    ...form,
  });
const takeEffect = () => applyModerationActions(testApp);
const appeal = async (actionId: string) => {
  const payload = { action_id: actionId, text: 'It is genuine' };
  expect((await ask(seller, 'POST', '/rest/v1/appeals', payload)).status).toBe(200);
};
const decide = async (action: CaseAction): Promise<string> => {
  const { status, body } = await choose(action);
  expect([status, body.code]).toEqual([200, undefined]);
  await takeEffect();
  return body.id;
};
const save = async (form: ListingForm) => {
  const answer = await submitListingForm(testApp, seller, { id: listing.id, ...form });
  expect(answer.status).toBe(200);
};
const readOwn = async () => (await ask(seller, 'GET', `/rest/v1/me/listings/${listing.id}`)).body;
const isApproved = async () => {
  const [row] = await testApp.sql`SELECT wording_approved_at FROM listings WHERE id = ${listing.id}`;
  return row?.wording_approved_at !== null;
};
const getNewestNotice = async () => (await ask(seller, 'GET', '/rest/v1/notifications')).body.items[0];
const listReportOutcomes = async (person: Person): Promise<string[]> =>
  (await ask(person, 'GET', '/rest/v1/notifications')).body.items.map(({ text }: { text: string }) => text);
const report = async (person: Person, text = '') => {
  const payload = { subject: 'listing', subject_id: listing.id, reason: 'scam', text };
  expect((await ask(person, 'POST', '/rest/v1/reports', payload)).status).toBe(200);
};
const findOpenCase = async (): Promise<string | undefined> => {
  const [row] = await testApp.sql<{ id: string }[]>`
    SELECT id FROM private.moderation_cases
    WHERE subject_id = ${listing.id} AND resolved_at IS NULL AND reopened_at IS NULL`;
  return row?.id;
};

beforeAll(async () => {
  testApp = await startTestApp({ environment: { QUAD_RATE_LIMITS: 'off' } });
});
afterAll(() => testApp.close());
beforeEach(async () => {
  await testApp.sql`UPDATE private.credentials SET console_role = NULL`;
  moderator = await signInToConsole(testApp, 'moderator');
  seller = await testApp.signIn({ fullName: 'Sally Seller' });
  reporter = await testApp.signIn({ fullName: 'Rita Reporter' });
  listing = (await submitListingForm(testApp, seller)).body.listing;
  await report(reporter);
  caseId = (await findOpenCase()) ?? '';
});

test('promise 86: quotes of reports are shown however often the wording was held for review', async () => {
  for (let count = 0; count <= maxQuotesShownPerCase; count += 1) {
    testApp.clock.advance(1);
    await save({ title: `A bottle of vodka, number ${count}` });
  }
  testApp.clock.advance(1);
  await save({ title: 'A bottle for flowers' });
  await report(await testApp.signIn(), 'This is no bottle');
  const { quotes, reports } = await getCase();
  expect(quotes).toHaveLength(maxQuotesShownPerCase);
  expect(quotes.at(-1)?.content).toMatchObject({ title: 'A bottle for flowers' });
  expect(reports).toHaveLength(2);
  const ids = quotes.map(({ id }) => id);
  for (const { quote_id: id } of reports) expect(ids).toContain(id);
});

test('a moderator sees the content of a listing only while it is not a draft', async () => {
  const readCase = async () =>
    (await ask(moderator, 'GET', `/rest/v1/moderation/cases/${caseId}`)).body.listing;
  expect(await readCase()).toMatchObject({ status: 'published', title: expect.any(String) });
  await save({ title: 'Notes to myself about this chair', status: 'draft' });
  expect(await readCase()).toMatchObject({ status: 'draft', title: null, description: null, photos: [] });
});

describe('restoring a listing', () => {
  test('publishes what the moderators saw, without approving its wording', async () => {
    await decide('unpublish');
    await decide('restore');
    expect((await readOwn()).status).toBe('published');
    expect(await isApproved()).toBe(false);
    expect((await getNewestNotice()).text).toBe('Reason: Counterfeit');
  });

  test.each(['unpublish', 'request_changes'] as const)(
    'leaves a listing that was changed after %s as a draft, and notifies the owner',
    async (action) => {
      const id = await decide(action);
      await save({ title: 'Something nobody has seen', status: 'draft' });
      await appeal(id);
      await decide('restore');
      expect(await readOwn()).toMatchObject({
        status: 'draft',
        hidden_reason: null,
        requested_changes: null,
      });
      expect(await isApproved()).toBe(false);
      expect(await getNewestNotice()).toMatchObject({
        title: 'Your appeal was successful',
        text: 'Reason: Counterfeit The listing is a draft. You can publish it in My Listings.',
      });
    },
  );

  test('leaves a listing whose photos were changed as a draft', async () => {
    await decide('unpublish');
    await save({ photos: [await insertPhoto(testApp, seller, 'unseen.jpg')], status: 'draft' });
    await decide('restore');
    expect((await readOwn()).status).toBe('draft');
  });

  test('leaves a listing as a draft if its owner had made it a draft before the decision', async () => {
    await ask(seller, 'PATCH', `/rest/v1/me/listings/${listing.id}`, { status: 'draft' });
    await decide('request_changes');
    await decide('restore');
    expect(await readOwn()).toMatchObject({ status: 'draft', requested_changes: null });
  });

  test('promise 89: holds it again when no moderator has approved its wording', async () => {
    await save(vodka);
    await decide('unpublish');
    expect(await findOpenCase()).toBeUndefined();
    await decide('restore');
    expect((await readOwn()).status).toBe('in_review');
    expect((await getNewestNotice()).text).toContain('We check the listing before it is published again.');
    caseId = (await findOpenCase()) ?? '';
    expect(await getCase()).toMatchObject({ risk: 3, signals: ['prohibited_wording'] });
    await decide('dismiss');
    expect((await readOwn()).status).toBe('published');
    expect(await isApproved()).toBe(true);
  });
});

describe('promise 89: approving a listing held for review', () => {
  beforeEach(() => save(vodka));

  test('is refused when the owner changed it after the moderator opened the case', async () => {
    const { listing: seen } = await getCase();
    expect(seen).toMatchObject({ title: vodka.title, status: 'in_review', photos: [] });
    await save({ ...vodka, photos: [await insertPhoto(testApp, seller, 'later.jpg')] });
    const stale = await choose('dismiss', { listing_version: seen?.version });
    expect([stale.status, stale.body.code]).toEqual([409, 'listing_changed']);
    const { listing: now } = await getCase();
    expect(now?.photos).toHaveLength(1);
    expect((await choose('dismiss', { listing_version: now?.version })).status).toBe(200);
    await takeEffect();
    expect((await readOwn()).status).toBe('published');
  });

  test.each([
    ['title', async () => ({ title: 'Two bottles of vodka and more' })],
    ['photos', async () => ({ ...vodka, photos: [await insertPhoto(testApp, seller, 'second.jpg')] })],
  ] as const)('is withdrawn when the owner changes its %s meanwhile', async (_field, getForm) => {
    expect((await choose('dismiss')).status).toBe(200);
    testApp.clock.advance(1);
    await save(await getForm());
    await takeEffect();
    expect((await readOwn()).status).toBe('in_review');
    const found = await getCase();
    expect(found.state).not.toBe('resolved');
    expect(found.actions[0]?.failure).toMatch(/^The owner changed this listing/);
    await decide('dismiss');
    expect((await readOwn()).status).toBe('published');
  });
});

describe('promise 85: a report that no moderator has read', () => {
  const title = 'Solid oak desk with two drawers';
  const acted = `We looked at “${title}” and took action.`;
  const nothing = `We looked at “${title}” and found that it follows our guidelines.`;
  const reversed = `We looked at “${title}” again and reversed our decision.`;
  let later: Person;
  beforeEach(async () => {
    later = await testApp.signIn({ fullName: 'Lara Later' });
  });
  const decideBeforeReport = async (action: CaseAction, form: object = {}) => {
    expect((await choose(action, form)).status).toBe(200);
    testApp.clock.advance(2);
    await report(later, 'It was stolen from me');
    await takeEffect();
  };

  test.each([
    ['dismiss', {}, nothing],
    ['warn', {}, acted],
    ['request_changes', {}, acted],
    ['suspend', { days: 3 }, acted],
  ] as const)(
    'keeps its case open after %s, and only earlier reporters are notified',
    async (action, form, outcome) => {
      await decideBeforeReport(action, form);
      expect((await getCase()).resolved_at).toBeNull();
      expect(await listReportOutcomes(reporter)).toEqual([outcome]);
      expect(await listReportOutcomes(later)).toEqual([]);
      await decide('dismiss');
      expect((await getCase()).state).toBe('resolved');
      expect(await listReportOutcomes(later)).toEqual([nothing]);
      // The other reporter knows the outcome already.
      expect(await listReportOutcomes(reporter)).toEqual([outcome]);
    },
  );

  test.each([
    ['dismiss', [acted], [acted]],
    ['restore', [nothing], [reversed]],
  ] as const)(
    'is decided with an appeal against the earlier decision by %s',
    async (action, laterOutcomes, outcomes) => {
      await decideBeforeReport('warn');
      await appeal((await getCase()).actions[0]?.id ?? '');
      await decide(action);
      expect((await getCase()).state).toBe('resolved');
      expect(await listReportOutcomes(later)).toEqual(laterOutcomes);
      expect(await listReportOutcomes(reporter)).toEqual(outcomes);
    },
  );

  test('keeps its outcome when an earlier decision is reversed', async () => {
    await decideBeforeReport('warn');
    const id = (await getCase()).actions[0]?.id ?? '';
    await decide('dismiss');
    await appeal(id);
    await decide('restore');
    expect(await listReportOutcomes(later)).toEqual([nothing]);
    expect(await listReportOutcomes(reporter)).toEqual([reversed]);
  });

  test('is told when a decision is reversed against which an appeal was rejected before', async () => {
    await decideBeforeReport('warn');
    await appeal((await getCase()).actions[0]?.id ?? '');
    await decide('dismiss');
    await decide('restore');
    expect(await listReportOutcomes(later)).toEqual([reversed]);
    expect(await listReportOutcomes(reporter)).toEqual([reversed]);
  });

  test('by somebody who knows the outcome of an earlier report is decided as well', async () => {
    await decideBeforeReport('warn');
    const text = 'The seller ignored the warning';
    await report(reporter, text);
    // A repeated request does not count again.
    await report(reporter, text);
    const { report_count: count, reports } = await getCase();
    expect(count).toBe(3);
    expect(reports[0]).toMatchObject({ reporter: { id: reporter.userId }, text });
    await decide('dismiss');
    expect((await getCase()).state).toBe('resolved');
    expect(await listReportOutcomes(reporter)).toEqual([nothing]);
  });

  test.each([['unpublish'], ['suspend']] as const)(
    'is decided along with the case if the pending action is %s',
    async (action) => {
      await decideBeforeReport(action);
      expect((await getCase()).state).toBe('resolved');
      expect(await listReportOutcomes(later)).toEqual([acted]);
    },
  );

  test('is not dismissed from a page that does not show it', async () => {
    const { report_count: reports } = await getCase();
    await report(later);
    const dismiss = (seen: number) => choose('dismiss', { report_count: seen });
    expect((await dismiss(reports)).body.code).toBe('report_unread');
    expect((await choose('unpublish', { report_count: reports })).status).toBe(200);
  });
});

test('a signal that is raised while a dismissal is pending keeps the case open', async () => {
  await choose('dismiss');
  testApp.clock.advance(2);
  await testApp.sql`
    INSERT INTO private.moderation_signals (case_id, quote_id, kind, detail, raised_at)
    SELECT case_id, id, 'similar_messages', 'Many messages', ${testApp.clock.now()}
    FROM private.moderation_quotes WHERE case_id = ${caseId}`;
  await takeEffect();
  expect((await getCase()).resolved_at).toBeNull();
  await decide('dismiss');
  expect((await getCase()).state).toBe('resolved');
});

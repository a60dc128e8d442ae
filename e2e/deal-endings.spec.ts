import { randomUUID } from 'node:crypto';
import { type Browser, expect, type Page } from '@playwright/test';
import ICAL from 'ical.js';
import type { Email } from 'postal-mime';
import type { Deal } from '../contract/deals.ts';
import { updateTestDatabase } from './support/database.ts';
import { runDealJobs } from './support/deal-jobs.ts';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import type { QuadServer } from './support/quad-server.ts';
import { callApi, openSignedInBrowser, postListing, type Student, signUp } from './support/students.ts';

// These tests check how several people compete for one item: who gets it when a deal ends, or when a draw is
// made. They change times in the database instead of waiting.

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;
const openPhone = async (browser: Browser, quad: QuadServer, student: Student): Promise<Page> =>
  (await openSignedInBrowser(browser, quad, student, phone)).newPage();
const getDeal = (page: Page) => page.getByRole('region', { name: 'Deal', exact: true });
const getThread = (page: Page) => page.getByRole('region', { name: /^Messages with/ });
const getButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const startDeal = (quad: QuadServer, buyer: Student, listing: { id: string }): Promise<Deal> =>
  callApi(quad, '/rest/v1/deals', {
    token: buyer.token,
    body: { client_id: randomUUID(), listing_id: listing.id },
  });
const takeStep = (
  quad: QuadServer,
  person: Student,
  deal: Deal,
  transition: string,
  data: object = {},
): Promise<Deal> =>
  callApi(quad, `/rest/v1/deals/${deal.id}/transitions`, {
    token: person.token,
    body: { client_id: randomUUID(), transition, ...data },
  });

/** Waits for the next email to a person that has a calendar file attached; returns the event in this file. */
const takeCalendarMail = async (quad: QuadServer, { email }: Student) => {
  let mail: Email;
  do mail = await quad.mail.take(email);
  while (mail.attachments.length === 0);
  const [file] = mail.attachments;
  const content = file?.content ?? '';
  const source = typeof content === 'string' ? content : new TextDecoder().decode(content);
  const calendar = new ICAL.Component(ICAL.parse(source));
  const entry = calendar.getFirstSubcomponent('vevent');
  return {
    subject: mail.subject,
    type: file?.mimeType,
    method: calendar.getFirstPropertyValue('method'),
    uid: entry?.getFirstPropertyValue('uid'),
    location: entry?.getFirstPropertyValue('location'),
    start: entry && new ICAL.Event(entry).startDate.toJSDate().toISOString(),
  };
};

test('a draw decides who gets a free item', async ({ browser, quad }) => {
  const [giver, first, second] = await Promise.all([
    signUp(quad, 'Greta Giver', createUniqueEmailAddress('greta')),
    signUp(quad, 'Flo First', createUniqueEmailAddress('flo')),
    signUp(quad, 'Sid Second', createUniqueEmailAddress('sid')),
  ]);
  const listing = await postListing(quad, giver, 'Floor lamp with a paper shade', {
    ...{ category: 'free', price: 0, giftMode: 'draw', drawHours: 1 },
  });
  const [firstPage, secondPage] = await Promise.all([
    openPhone(browser, quad, first),
    openPhone(browser, quad, second),
  ]);

  await test.step('everybody who asks takes part, without a place in line', async () => {
    await firstPage.goto(`/listing/${listing.slug}`);
    await getButton(firstPage, 'I’d like this').tap();
    await firstPage.getByRole('dialog').getByRole('button', { name: 'Send request' }).tap();
    await expect(getDeal(firstPage)).toContainText('The draw decides who can get it.');
    const { conversation_id: id } = await startDeal(quad, second, listing);
    await secondPage.goto(`/messages?c=${id}`);
    await expect(getDeal(secondPage)).toContainText('The draw decides who can get it.');
  });

  const [winnerPage, otherPage] = await test.step('the draw gives each of them a place', async () => {
    await updateTestDatabase(
      quad,
      (sql) => sql`UPDATE listings SET draw_closes_at = now() WHERE id = ${listing.id}`,
    );
    await runDealJobs(quad);
    await expect(getDeal(firstPage)).toContainText(/Number [12] in line\./);
    await expect(getDeal(secondPage)).toContainText(/Number [12] in line\./);
    const isFirst = await getDeal(firstPage).getByText('Number 1 in line.').isVisible();
    const pages = isFirst ? ([firstPage, secondPage] as const) : ([secondPage, firstPage] as const);
    await expect(getDeal(pages[0])).toContainText('Number 1 in line. Greta Giver can answer.');
    await expect(getDeal(pages[1])).toContainText('Number 2 in line. Greta Giver answers the first in line.');
    return pages;
  });

  await test.step('the giver can accept only the first one', async () => {
    const giverPage = await openPhone(browser, quad, giver);
    await giverPage.goto(`/listing/${listing.slug}`);
    await getButton(giverPage, 'Offers').tap();
    const rows = giverPage.getByRole('dialog', { name: 'Offers' }).getByRole('listitem');
    await expect(rows).toHaveCount(2);
    await expect(rows.last().getByRole('button', { name: 'Accept' })).toHaveCount(0);
    await rows.first().getByRole('button', { name: 'Accept' }).tap();
    await expect(getDeal(winnerPage)).toContainText('On hold for you');
    await expect(getDeal(otherPage)).toContainText('On hold for somebody else: the request waits');
    await giverPage.context().close();
  });
  await Promise.all([winnerPage, otherPage].map((page) => page.context().close()));
});

test('after a no-show report, the next offer can be accepted, and when its hold lapses, its buyer can ask to buy again', async ({
  browser,
  quad,
}) => {
  const [seller, buyer, next] = await Promise.all([
    signUp(quad, 'Mia Seller', createUniqueEmailAddress('mia')),
    signUp(quad, 'Bo Buyer', createUniqueEmailAddress('bo')),
    signUp(quad, 'Nell Next', createUniqueEmailAddress('nell')),
  ]);
  const listing = await postListing(quad, seller, 'Record player with speakers', { price: 80 });
  const deal = await startDeal(quad, buyer, listing);
  const waiting = await startDeal(quad, next, listing);
  await takeStep(quad, seller, deal, 'accept');
  const [sellerPage, buyerPage, nextPage] = await Promise.all([
    openPhone(browser, quad, seller),
    openPhone(browser, quad, buyer),
    openPhone(browser, quad, next),
  ]);
  await nextPage.goto(`/messages?c=${waiting.conversation_id}`);
  await expect(getDeal(nextPage)).toContainText('On hold for somebody else: the offer waits');

  await test.step('an agreed handover is mailed to both with a calendar file', async () => {
    const quarter = 900_000;
    const time = new Date((Math.floor(Date.now() / quarter) + 8) * quarter).toISOString();
    await takeStep(quad, seller, deal, 'propose_handover', { place: 'The fountain', times: [time] });
    await buyerPage.goto(`/messages?c=${deal.conversation_id}`);
    await buyerPage.getByRole('list', { name: 'Suggested times' }).getByRole('button').tap();
    await expect(getDeal(buyerPage)).toContainText(/You meet .*The fountain/);
    for (const person of [buyer, seller])
      expect(await takeCalendarMail(quad, person)).toMatchObject({
        subject: expect.stringMatching(/^Handover of "Record player with speakers": /),
        ...{ type: 'text/calendar', method: 'PUBLISH', start: time },
        uid: expect.stringContaining(`deal-${deal.id}@`),
        location: expect.stringMatching(/^The fountain, /),
      });
  });

  await test.step('the buyer contests the report of the seller that nobody came', async () => {
    await updateTestDatabase(
      quad,
      (sql) => sql`UPDATE deals SET handover_at = now() - interval '30 minutes' WHERE id = ${deal.id}`,
    );
    await sellerPage.goto(`/messages?c=${deal.conversation_id}`);
    await sellerPage.getByRole('button', { name: 'More actions for this deal' }).tap();
    await sellerPage.getByRole('menuitem', { name: 'They didn’t show up' }).tap();
    const question = sellerPage.getByRole('dialog', { name: 'Report that nobody came?' });
    await question.getByRole('button', { name: 'They didn’t show up' }).tap();
    await expect(getDeal(buyerPage)).toContainText('Ended because the meeting didn’t happen.');
    await expect(getThread(buyerPage).getByText(/^Mia Seller reported that you didn’t come\./)).toBeVisible();
    await getButton(buyerPage, 'I was there').tap();
    await expect(
      getThread(buyerPage).getByText('You contested the report. It counts for nobody.'),
    ).toBeVisible();
    await expect(
      getThread(sellerPage).getByText('Bo Buyer contested the report. It counts for nobody.'),
    ).toBeVisible();
    await expect(getButton(buyerPage, 'I was there')).toHaveCount(0);
  });

  await test.step('the waiting offer has its turn, until the hold that it gets lapses', async () => {
    await expect(getDeal(nextPage)).toContainText('Mia Seller can answer.');
    await expect(getDeal(nextPage)).toContainText('Their turn');
    await takeStep(quad, seller, waiting, 'accept');
    await expect(getDeal(nextPage)).toContainText('On hold for you: $80.');
    await updateTestDatabase(
      quad,
      (sql) => sql`UPDATE deals SET deadline_at = now() - interval '1 minute' WHERE id = ${waiting.id}`,
    );
    await runDealJobs(quad);
    await expect(getDeal(nextPage)).toContainText('The hold ended without a handover.');
    await expect(getButton(nextPage, 'Ask to buy for $80')).toBeVisible();
  });
  await Promise.all([sellerPage, buyerPage, nextPage].map((page) => page.context().close()));
});

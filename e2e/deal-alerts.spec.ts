import { randomUUID } from 'node:crypto';
import { type Browser, expect, type Page } from '@playwright/test';
import { addDays } from '../contract/days.ts';
import type { Deal } from '../contract/deals.ts';
import { updateTestDatabase } from './support/database.ts';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { listShiftedElements, recordLayoutShifts } from './support/layout-shifts.ts';
import type { QuadServer } from './support/quad-server.ts';
import { callApi, openSignedInBrowser, postListing, type Student, signUp } from './support/students.ts';

// These tests check the notices that deals show at certain times. They change times in the database instead
// of waiting.

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;
const openPhone = async (browser: Browser, quad: QuadServer, student: Student): Promise<Page> =>
  (await openSignedInBrowser(browser, quad, student, phone)).newPage();
const getDeal = (page: Page) => page.getByRole('region', { name: 'Deal', exact: true });
const getButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Starts a deal and makes the seller accept it. */
const startHold = async (
  quad: QuadServer,
  { seller, buyer, listing }: { seller: Student; buyer: Student; listing: { id: string } },
  days: object = {},
): Promise<Deal> => {
  const deal = await callApi<Deal>(quad, '/rest/v1/deals', {
    token: buyer.token,
    body: { client_id: randomUUID(), listing_id: listing.id, ...days },
  });
  return callApi(quad, `/rest/v1/deals/${deal.id}/transitions`, {
    token: seller.token,
    body: { client_id: randomUUID(), transition: 'accept' },
  });
};

test('a hold that ends soon is extended with one tap, and both parties are later asked whether they met', async ({
  browser,
  quad,
}) => {
  const seller = await signUp(quad, 'Maya Seller', createUniqueEmailAddress('maya'));
  const buyer = await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben'));
  const listing = await postListing(quad, seller, 'Oak shelf with five boards', { price: 60 });
  const deal = await startHold(quad, { seller, buyer, listing });
  const [sellerPage, buyerPage] = [
    await openPhone(browser, quad, seller),
    await openPhone(browser, quad, buyer),
  ];

  await test.step('three hours before the end, both have answers', async () => {
    await updateTestDatabase(
      quad,
      (sql) => sql`UPDATE deals SET deadline_at = now() + interval '150 minutes' WHERE id = ${deal.id}`,
    );
    await sellerPage.goto(`/messages?c=${deal.conversation_id}`);
    await expect(getDeal(sellerPage)).toContainText('The hold ends soon');
    await expect(getButton(sellerPage, 'Keep it on hold')).toBeVisible();
    await buyerPage.goto(`/listing/${listing.slug}`);
    await expect(buyerPage.getByText('The hold ends soon')).toBeVisible();
    await getButton(buyerPage, 'We agreed in chat').tap();
    await expect(buyerPage.getByText('The hold ends soon')).toBeHidden();
    await expect(getDeal(sellerPage)).not.toContainText('The hold ends soon');
  });

  await test.step('after the agreed time, every answer has a button', async () => {
    await updateTestDatabase(
      quad,
      (sql) => sql`
        UPDATE deals SET place = 'The fountain', agreed_place = 'The fountain', handover_at = now() - interval '4 hours',
          handover_agreed_at = now() - interval '2 days', deadline_at = now() + interval '68 hours' WHERE id = ${deal.id}`,
    );
    await sellerPage.reload();
    await expect(getDeal(sellerPage)).toContainText('Did you meet Ben Buyer?');
    await expect(getButton(sellerPage, 'I handed it over')).toBeVisible();
    await expect(getButton(sellerPage, 'Cancel the deal')).toBeVisible();
    await getButton(sellerPage, 'Suggest a new time').tap();
    await expect(sellerPage.getByRole('dialog')).toBeVisible();
    await sellerPage.getByRole('button', { name: 'Close' }).tap();
    await buyerPage.reload();
    await expect(buyerPage.getByText('Did you meet Maya Seller?')).toBeVisible();
    await getButton(buyerPage, 'I have it').tap();
    await buyerPage.getByRole('dialog').getByRole('button', { name: 'I have it' }).tap();
    await expect(getDeal(sellerPage)).toContainText('Completed.');
  });

  await Promise.all([sellerPage, buyerPage].map((page) => page.context().close()));
});

test('the page of a listing says whose turn it is and until when, without a layout shift', async ({
  browser,
  quad,
}) => {
  const seller = await signUp(quad, 'Maximiliana Seller', createUniqueEmailAddress('max'));
  const buyer = await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben'));
  const listing = await postListing(quad, seller, 'Birch table with four chairs', { price: 60 });
  const deal = await callApi<Deal>(quad, '/rest/v1/deals', {
    token: buyer.token,
    body: { client_id: randomUUID(), listing_id: listing.id },
  });
  const context = await openSignedInBrowser(browser, quad, buyer);
  const page = await context.newPage();
  // Open the page once before recording layout shifts, because the first visit also loads the font, which may
  // change the width of words.
  await page.goto(`/listing/${listing.slug}`, { waitUntil: 'networkidle' });
  await recordLayoutShifts(page);
  const expectAtAllWidths = async (...texts: (string | RegExp)[]): Promise<void> => {
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`/listing/${listing.slug}`, { waitUntil: 'networkidle' });
      for (const text of texts) await expect(page.getByRole('main').getByText(text)).toBeInViewport();
      expect(await listShiftedElements(page), `${width}`).toEqual([]);
    }
  };

  await expectAtAllWidths('You offer $60.', 'Their turn', /Without an answer the offer expires on .*left/);

  await callApi(quad, `/rest/v1/deals/${deal.id}/transitions`, {
    token: seller.token,
    body: { client_id: randomUUID(), transition: 'accept' },
  });
  await updateTestDatabase(
    quad,
    (sql) => sql`UPDATE deals SET deadline_at = now() + interval '150 minutes' WHERE id = ${deal.id}`,
  );
  await expectAtAllWidths('The hold ends soon', 'We agreed in chat', /2 h \d+ min left/);

  await updateTestDatabase(
    quad,
    (sql) => sql`
      UPDATE deals SET place = 'The fountain', agreed_place = 'The fountain', handover_at = now() - interval '4 hours',
        handover_agreed_at = now() - interval '2 days', deadline_at = now() + interval '68 hours' WHERE id = ${deal.id}`,
  );
  await expectAtAllWidths('Did you meet Maximiliana Seller?', /^Suggest a new time$/);
  await context.close();
});

test('an overdue rental can be reported after a week, and the next renter is notified', async ({
  browser,
  quad,
}) => {
  const owner = await signUp(quad, 'Olive Owner', createUniqueEmailAddress('olive'));
  const renter = await signUp(quad, 'Rita Renter', createUniqueEmailAddress('rita'));
  const next = await signUp(quad, 'Nora Next', createUniqueEmailAddress('nora'));
  const listing = await postListing(quad, owner, 'Camera with two lenses', {
    category: 'rentals',
    price: 12,
  });
  const today = new Date().toISOString().slice(0, 10);
  const rent = (buyer: Student, first: number, last: number) =>
    startHold(
      quad,
      { seller: owner, buyer, listing },
      { first_day: addDays(today, first), last_day: addDays(today, last) },
    );
  const overdue = await rent(renter, 2, 3);
  await updateTestDatabase(
    quad,
    (sql) => sql`
      UPDATE deals SET state = 'out', deadline_at = NULL, first_day = ${addDays(today, -12)}, last_day = ${addDays(today, -10)}
      WHERE id = ${overdue.id}`,
  );
  const held = await rent(next, 1, 3);
  // The next renter sees the notice from the first day of the rental on. That day must already have begun in
  // the campus time zone, so move it to yesterday.
  await updateTestDatabase(
    quad,
    (sql) => sql`UPDATE deals SET first_day = ${addDays(today, -1)} WHERE id = ${held.id}`,
  );

  const ownerPage = await openPhone(browser, quad, owner);
  await ownerPage.goto(`/messages?c=${overdue.conversation_id}`);
  await expect(getDeal(ownerPage)).toContainText('This rental is overdue');
  await getButton(ownerPage, 'Report').tap();
  const dialog = ownerPage.getByRole('dialog', { name: 'Report Overdue Rental' });
  await expect(dialog.getByLabel('Subject')).toHaveValue('Overdue rental: Camera with two lenses');
  await dialog.getByLabel('Details').fill('It should be back since last week, and nobody answers.');
  await dialog.getByRole('button', { name: 'Submit Report' }).tap();
  await expect(ownerPage.getByText('Report Submitted')).toBeVisible();

  const nextPage = await openPhone(browser, quad, next);
  await nextPage.goto(`/messages?c=${held.conversation_id}`);
  await expect(getDeal(nextPage)).toContainText('It isn’t back yet');
  await nextPage.goto(`/listing/${listing.slug}`);
  await expect(nextPage.getByText('It isn’t back yet')).toBeVisible();

  await Promise.all([ownerPage, nextPage].map((page) => page.context().close()));
});

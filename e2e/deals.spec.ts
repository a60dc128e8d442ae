import { randomUUID } from 'node:crypto';
import { type Browser, expect, type Page } from '@playwright/test';
import { defaultCampus, toCampusDay } from '../contract/campus.ts';
import { addDays } from '../contract/days.ts';
import type { Deal } from '../contract/deals.ts';
import { formatLongDay } from '../web/lib/format.ts';
import { updateTestDatabase } from './support/database.ts';
import { runDealJobs } from './support/deal-jobs.ts';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import type { QuadServer } from './support/quad-server.ts';
import { callApi, openSignedInBrowser, postListing, type Student, signUp } from './support/students.ts';

// These tests follow deals on phones, from an offer to the handover.

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;

const openPhone = async (browser: Browser, quad: QuadServer, student: Student): Promise<Page> =>
  (await openSignedInBrowser(browser, quad, student, phone)).newPage();

const getDeal = (page: Page) => page.getByRole('region', { name: 'Deal', exact: true });
const getButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Chooses an item of the deal's menu, which contains the less frequent actions. */
const chooseInMenu = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: 'More actions for this deal' }).tap();
  await page.getByRole('menuitem', { name }).tap();
};

test('a sale: offer, counter-offer, acceptance, handover, and the deal history of both parties', async ({
  browser,
  quad,
}) => {
  const seller = await signUp(quad, 'Maya Seller', createUniqueEmailAddress('maya'));
  const buyer = await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben'));
  const listing = await postListing(quad, seller, 'Walnut desk with drawers', { price: 110 });
  const [sellerPage, buyerPage] = [
    await openPhone(browser, quad, seller),
    await openPhone(browser, quad, buyer),
  ];

  await test.step('a visitor is asked to sign in, and comes back to the dialog', async () => {
    const page = await browser.newPage({ baseURL: quad.url, ...phone });
    await page.goto(`/listing/${listing.slug}`);
    await getButton(page, 'Make an offer').tap();
    const dialog = page.getByRole('dialog', { name: 'Sign in Required' });
    await expect(dialog).toContainText('You need to be logged in to make a deal.');
    const path = new URLSearchParams(
      (await dialog.getByRole('link', { name: 'Log In' }).getAttribute('href'))?.split('?')[1],
    ).get('from');
    expect(path).toBe(`/listing/${listing.slug}?deal=offer`);
    await page.context().close();
    await buyerPage.goto(path ?? '');
    await expect(buyerPage.getByRole('dialog', { name: 'Make an offer' })).toBeVisible();
    await expect(buyerPage).toHaveURL(`/listing/${listing.slug}`);
  });

  await test.step('the buyer offers less', async () => {
    const dialog = buyerPage.getByRole('dialog', { name: 'Make an offer' });
    await dialog.getByLabel('Your offer').fill('90');
    await dialog.getByLabel('Message (optional)').fill('I can pick it up tomorrow.');
    await dialog.getByRole('button', { name: 'Send offer' }).tap();
    await expect(getDeal(buyerPage)).toContainText('You offer $90.');
    await expect(getDeal(buyerPage)).toContainText('Their turn');
    await expect(buyerPage.getByText('I can pick it up tomorrow.', { exact: true })).toBeVisible();
    await expect(getButton(buyerPage, 'Withdraw')).toBeVisible();
  });

  await test.step('going back does not open the dialog again', async () => {
    const ownOffer = buyerPage.getByRole('link', { name: 'View your offer' });
    await buyerPage.goBack();
    await expect(ownOffer).toBeVisible();
    await expect(buyerPage).toHaveURL(`/listing/${listing.slug}`);
    await expect(buyerPage.getByRole('dialog')).toHaveCount(0);
    await ownOffer.tap();
    await expect(buyerPage).toHaveURL(/\/messages\?c=/);
    await expect(getDeal(buyerPage)).toContainText('You offer $90.');
  });

  await test.step('the seller suggests another price, which the buyer sees without a reload', async () => {
    await sellerPage.goto(`/listing/${listing.slug}`);
    await getButton(sellerPage, 'Offers').tap();
    const queue = sellerPage.getByRole('dialog', { name: 'Offers' });
    await expect(queue.getByRole('listitem')).toContainText('Ben Buyer offers $90.');
    await queue.getByRole('link', { name: 'Chat with Ben Buyer' }).tap();
    await expect(getDeal(sellerPage)).toContainText('Your turn');
    await getButton(sellerPage, 'Make a counter-offer').tap();
    await sellerPage.getByLabel('Your price').fill('100');
    await getButton(sellerPage, 'Send counter-offer').tap();
    await expect(getDeal(sellerPage)).toContainText('You offer $100.');
    await expect(getDeal(buyerPage)).toContainText('Maya Seller offers $100.');
    await expect(getDeal(buyerPage)).toContainText('Your turn');
  });

  await test.step('without a connection nothing can be accepted', async () => {
    await buyerPage.context().setOffline(true);
    await expect(getDeal(buyerPage).getByRole('button', { name: 'You’re offline' }).first()).toBeDisabled();
    await buyerPage.context().setOffline(false);
    await getButton(buyerPage, 'Accept').tap();
    await expect(getDeal(buyerPage)).toContainText('On hold for you: $100.');
    await expect(getDeal(sellerPage)).toContainText('On hold for Ben Buyer: $100.');
  });

  await test.step('they agree on a time and a place', async () => {
    await getButton(sellerPage, 'Suggest a time and place').tap();
    const dialog = sellerPage.getByRole('dialog', { name: 'Suggest a time and place' });
    await dialog.getByRole('button', { expanded: false }).tap();
    await dialog.getByRole('radio', { name: 'Somewhere else' }).check();
    await dialog.getByLabel('Place').fill('In front of the library');
    await dialog.getByRole('button', { name: 'Another time' }).tap();
    await dialog.getByLabel('Time 1', { exact: true }).selectOption('17:30');
    await dialog.getByRole('button', { name: /^Suggest 2 times/ }).tap();
    await expect(getDeal(sellerPage)).toContainText('Ben Buyer can choose one of your times.');
    const times = buyerPage.getByRole('list', { name: 'Suggested times' }).getByRole('button');
    await expect(times).toHaveCount(2);
    // All controls of the conversation must be reachable on a phone in landscape orientation.
    await buyerPage.setViewportSize({ width: 667, height: 375 });
    for (const part of [times.last(), buyerPage.getByPlaceholder('Type your message...')]) {
      await part.scrollIntoViewIfNeeded();
      await expect(part).toBeInViewport({ ratio: 1 });
    }
    await buyerPage.setViewportSize(phone.viewport);
    await times.last().tap();
    for (const page of [buyerPage, sellerPage]) {
      await expect(getDeal(page)).toContainText(/You meet .*5:30 PM, In front of the library/);
    }
  });

  await test.step('the buyer has it', async () => {
    await getButton(buyerPage, 'I have it').tap();
    await buyerPage.getByRole('dialog').getByRole('button', { name: 'I have it' }).tap();
    await expect(getDeal(buyerPage)).toContainText('Done. You paid $100.');
    await expect(getDeal(sellerPage)).toContainText('Done. You got $100.');
  });

  await test.step('both review, and see the other review only when both exist', async () => {
    const review = async (page: Page, stars: string, text: string): Promise<void> => {
      await getButton(page, stars).tap();
      const dialog = page.getByRole('dialog', { name: /^How was it with/ });
      await expect(dialog.getByRole('radio', { name: stars })).toBeChecked();
      await dialog.getByRole('checkbox', { name: 'Friendly' }).check();
      await dialog.getByLabel('Your review (optional)').fill(text);
      await dialog.getByRole('button', { name: 'Send review' }).tap();
      await expect(dialog).toHaveCount(0);
    };
    await review(buyerPage, '5 stars', 'The desk is as described.');
    await expect(getDeal(buyerPage)).toContainText('Maya Seller sees it when both have written a review');
    await expect(getDeal(buyerPage).getByRole('img', { name: '5 of 5 stars' })).toBeVisible();
    await expect(getDeal(sellerPage).getByText('The desk is as described.')).toHaveCount(0);
    await review(sellerPage, '4 stars', 'Came on time.');
    await expect(getDeal(sellerPage)).toContainText('The desk is as described.');
    await expect(getDeal(buyerPage)).toContainText('Came on time.');
    await expect(getButton(buyerPage, 'Change your review')).toHaveCount(0);
  });

  await test.step('both find the deal in their history', async () => {
    await sellerPage.goto('/profile?tab=history');
    const row = sellerPage.getByRole('list', { name: 'Transactions' }).getByRole('listitem');
    await expect(row).toContainText('Walnut desk with drawers');
    await expect(row).toContainText('$100');
    await expect(row).toContainText('to Ben Buyer');
    await expect(row).toContainText('Completed');
    await row.getByRole('link').tap();
    await expect(getDeal(sellerPage)).toBeVisible();
  });
  await Promise.all([sellerPage, buyerPage].map((page) => page.context().close()));
});

test('a gift: a draw decides whose claim the giver can accept first', async ({ browser, quad }) => {
  const giver = await signUp(quad, 'Gina Giver', createUniqueEmailAddress('gina'));
  const first = await signUp(quad, 'Fay First', createUniqueEmailAddress('fay'));
  const second = await signUp(quad, 'Sam Second', createUniqueEmailAddress('sam'));
  const listing = await postListing(quad, giver, 'Moving boxes, all sizes', {
    ...{ category: 'free', price: 0, giftMode: 'draw', drawHours: 1 },
  });
  const pages = await Promise.all([giver, first, second].map((student) => openPhone(browser, quad, student)));
  const [giverPage, firstPage, secondPage] = pages as [Page, Page, Page];

  await test.step('everybody who asks takes part, without a place in line', async () => {
    await firstPage.goto(`/listing/${listing.slug}`);
    await getButton(firstPage, 'I’d like this').tap();
    await firstPage.getByRole('dialog').getByRole('button', { name: 'Send request' }).tap();
    await expect(getDeal(firstPage)).toContainText('You’re in the draw.');
    await expect(getDeal(firstPage)).toContainText('The draw decides who can get it.');
    const { conversation_id: id } = await callApi<Deal>(quad, '/rest/v1/deals', {
      token: second.token,
      body: { client_id: randomUUID(), listing_id: listing.id },
    });
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
    return isFirst ? ([firstPage, secondPage] as const) : ([secondPage, firstPage] as const);
  });

  await test.step('the giver can accept only the first one, and after a cancellation the next', async () => {
    await giverPage.goto(`/listing/${listing.slug}`);
    await getButton(giverPage, 'Offers').tap();
    const rows = giverPage.getByRole('dialog', { name: 'Offers' }).getByRole('listitem');
    await expect(rows).toHaveCount(2);
    await expect(rows.last().getByRole('button', { name: 'Accept' })).toHaveCount(0);
    await rows.first().getByRole('button', { name: 'Accept' }).tap();
    await expect(getDeal(winnerPage)).toContainText('On hold for you');
    await expect(getDeal(otherPage)).toContainText('On hold for somebody else: the request waits');
    await chooseInMenu(winnerPage, 'Cancel');
    const dialog = winnerPage.getByRole('dialog', { name: 'Cancel this deal?' });
    await dialog.getByLabel('Reason').fill('I found other boxes.');
    await dialog.getByRole('button', { name: 'Cancel the deal' }).tap();
    await expect(getDeal(winnerPage)).toContainText('The deal was cancelled.');
    await rows.getByRole('button', { name: 'Accept' }).tap();
    await expect(getDeal(otherPage)).toContainText('On hold for you');
  });
  await Promise.all(pages.map((page) => page.context().close()));
});

test('a rental: the days and their price, an extension, and the return', async ({ browser, quad }) => {
  const owner = await signUp(quad, 'Olga Owner', createUniqueEmailAddress('olga'));
  const renter = await signUp(quad, 'Rob Renter', createUniqueEmailAddress('rob'));
  const listing = await postListing(quad, owner, 'City bike with a lock', {
    category: 'rentals',
    price: 12,
    deposit: 80,
  });
  const [ownerPage, renterPage] = [
    await openPhone(browser, quad, owner),
    await openPhone(browser, quad, renter),
  ];

  await renterPage.goto(`/listing/${listing.slug}`);
  await expect(renterPage.getByText('$80 · Quad holds no money')).toBeVisible();
  await getButton(renterPage, 'Choose days').tap();
  const dialog = renterPage.getByRole('dialog', { name: 'Choose days' });
  await expect(dialog).toContainText('Deposit: $80. Quad holds no money.');
  const days = dialog.getByRole('grid').nth(1).getByRole('gridcell').getByRole('button');
  await days.nth(9).tap();
  await days.nth(11).tap();
  await expect(dialog.getByText(/10 – 12: 3 days/)).toBeVisible();
  await dialog.getByLabel('Total price').fill('30');
  await dialog.getByRole('button', { name: 'Request these days' }).tap();
  await expect(getDeal(renterPage)).toContainText(/You offer \$30 for \w+ 10 to \w+ 12\./);

  await ownerPage.goto('/messages');
  await ownerPage.getByRole('link', { name: /Rob Renter/ }).tap();
  await getButton(ownerPage, 'Accept').tap();
  await expect(getDeal(renterPage)).toContainText('On hold for you');
  await getButton(renterPage, 'I have it').tap();
  await renterPage.getByRole('dialog').getByRole('button', { name: 'I have it' }).tap();
  await expect(getDeal(renterPage)).toContainText(/You have it until \w+ 12\./);

  await chooseInMenu(renterPage, 'Ask to keep it longer');
  await renterPage.getByRole('dialog').getByRole('button', { name: 'Ask', exact: true }).tap();
  await expect(getDeal(ownerPage)).toContainText(/Rob Renter asks to keep it until \w+ 13\./);
  await getButton(ownerPage, 'Accept the extension').tap();
  await expect(getDeal(renterPage)).toContainText(/You have it until \w+ 13\./);

  await getButton(renterPage, 'Returned').tap();
  await expect(getDeal(renterPage)).toContainText('You returned it. ');
  await getButton(ownerPage, 'It’s back').tap();
  await ownerPage.getByRole('dialog').getByRole('button', { name: 'It’s back' }).tap();
  await expect(getDeal(ownerPage)).toContainText('Done. You have it back.');
  await Promise.all([ownerPage, renterPage].map((page) => page.context().close()));
});

test('promise 119: a rental comes back by noon and is picked up again from noon on the same day', async ({
  browser,
  quad,
}) => {
  const owner = await signUp(quad, 'Opal Owner', createUniqueEmailAddress('opal'));
  const first = await signUp(quad, 'Fay First', createUniqueEmailAddress('fay'));
  const next = await signUp(quad, 'Nora Next', createUniqueEmailAddress('nora'));
  const listing = await postListing(quad, owner, 'Cargo bike with a box', { category: 'rentals', price: 12 });
  const today = toCampusDay(defaultCampus, new Date());
  const [from, to] = [addDays(today, 8), addDays(today, 10)];
  const take = (student: Student, deal: Deal, transition: string): Promise<Deal> =>
    callApi(quad, `/rest/v1/deals/${deal.id}/transitions`, {
      token: student.token,
      body: { client_id: randomUUID(), transition },
    });
  const held = await take(
    owner,
    await callApi<Deal>(quad, '/rest/v1/deals', {
      token: first.token,
      body: {
        client_id: randomUUID(),
        listing_id: listing.id,
        price: 30,
        first_day: from,
        last_day: to,
        return_time: '12:00',
      },
    }),
    'accept',
  );

  const page = await openPhone(browser, quad, next);
  await page.goto(`/listing/${listing.slug}`);
  await page.getByText('Free days', { exact: true }).tap();
  await expect(page.getByText(/taken until 12:00\sPM/)).toBeVisible();
  await getButton(page, 'Choose days').tap();
  const dialog = page.getByRole('dialog', { name: 'Choose days' });
  await dialog.getByRole('button', { name: /taken until 12:00\sPM/ }).tap();
  await dialog.getByRole('button', { name: formatLongDay(addDays(to, 1), defaultCampus) }).tap();
  await expect(dialog.getByLabel('Pick-up from')).toHaveValue('12:00');
  await dialog.getByLabel('Pick-up from').selectOption('');
  await expect(dialog.getByText(/^Somebody else has it until \w+ \d+, 12:00\sPM$/)).toBeVisible();
  await dialog.getByLabel('Pick-up from').selectOption('12:00');
  await expect(dialog.getByText('Somebody else has it')).toBeHidden();
  await dialog.getByLabel('Total price').fill('20');
  await dialog.getByRole('button', { name: 'Request these days' }).tap();
  await expect(getDeal(page)).toContainText(/You offer \$20 for \w+ \d+, 12:00\sPM to \w+ \d+\./);

  const ownerPage = await openPhone(browser, quad, owner);
  await ownerPage.goto('/messages');
  await ownerPage.getByRole('link', { name: /Nora Next/ }).tap();
  await getButton(ownerPage, 'Accept').tap();
  await expect(getDeal(page)).toContainText('On hold for you');

  await take(first, held, 'received');
  await take(owner, held, 'returned');
  await getButton(page, 'I have it').tap();
  await page.getByRole('dialog').getByRole('button', { name: 'I have it' }).tap();
  await expect(getDeal(page)).toContainText('You have it until');
  await Promise.all([page, ownerPage].map((it) => it.context().close()));
});

import { type Browser, expect, type Page } from '@playwright/test';
import { listViolations } from './support/axe.ts';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { listShiftedElements, recordLayoutShifts } from './support/layout-shifts.ts';
import type { QuadServer } from './support/quad-server.ts';
import { openSignedInBrowser, postListing, type Student, signUp } from './support/students.ts';
import { intercept } from './support/test.ts';

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
    await buyerPage.getByRole('button', { name: 'Close' }).tap();
    await expect(buyerPage).toHaveURL(`/listing/${listing.slug}`);
  });

  await test.step('the buyer offers less on the page of the listing, which does not move', async () => {
    await recordLayoutShifts(buyerPage);
    await buyerPage.goto(`/listing/${listing.slug}`, { waitUntil: 'networkidle' });
    await expect(getButton(buyerPage, 'Ask to buy for $110')).toBeInViewport({ ratio: 1 });
    expect(await listShiftedElements(buyerPage)).toEqual([]);
    await buyerPage.goto(`/listing/${listing.slug}?deal=offer`);
    const dialog = buyerPage.getByRole('dialog', { name: 'Make an offer' });
    const other = await buyerPage.context().newPage();
    await other.goto(`/listing/${listing.slug}`);
    await getButton(other, 'Ask to buy for $110').tap();
    await expect(getButton(other, 'Send request')).toBeVisible();
    await dialog.getByRole('button', { name: 'Send offer' }).tap();
    await expect(dialog.getByText('Enter the price in digits, for example 25 or 25.50')).toBeVisible();
    await dialog.getByLabel('Your offer').fill('90');
    await dialog.getByLabel('Message (optional)').fill('I can pick it up tomorrow.');
    await dialog.getByRole('button', { name: 'Send offer' }).tap();
    await expect(getDeal(buyerPage)).toContainText('You offer $90.');
    await expect(getDeal(buyerPage)).toContainText('Their turn');
    await expect(buyerPage.getByText('I can pick it up tomorrow.', { exact: true })).toBeVisible();
    await expect(getButton(buyerPage, 'Withdraw')).toBeVisible();

    // When the buyer makes a second offer on another open page, the page shows the first offer instead.
    await getButton(other, 'Send request').tap();
    await expect(getDeal(other)).toContainText('You offer $90.');
    await expect(other.getByText('You already have an open offer for this item')).toBeVisible();
    await other.close();
  });

  await test.step('going back does not open the dialog again, nor does its address while the offer is open', async () => {
    const ownOffer = buyerPage.getByRole('link', { name: 'View your offer' });
    await buyerPage.goBack();
    await expect(ownOffer).toBeVisible();
    await expect(buyerPage).toHaveURL(`/listing/${listing.slug}`);
    await expect(buyerPage.getByRole('dialog')).toHaveCount(0);
    // Joining the person's own topic makes the page load the offer again. Wait for that, so that it does not
    // delay the first response below.
    const joined = Promise.withResolvers<void>();
    const shown = Promise.withResolvers<void>();
    buyerPage.on('websocket', (socket) =>
      socket.on(
        'framereceived',
        ({ payload }) => String(payload).includes('unread_total') && joined.resolve(),
      ),
    );
    let requestCount = 0;
    await intercept(buyerPage, '**/rest/v1/deals/about/*', async (route) => {
      requestCount += 1;
      await (requestCount === 1 ? joined.promise : shown.promise);
      await route.continue().catch(() => {});
    });
    await buyerPage.goto(`/listing/${listing.slug}?deal=offer`);
    await expect(ownOffer).toBeVisible();
    shown.resolve();
    await buyerPage.unrouteAll({ behavior: 'wait' });
    await expect(buyerPage).toHaveURL(`/listing/${listing.slug}`);
    await expect(buyerPage.getByRole('dialog')).toHaveCount(0);
    // The bottom bar is hidden while a field has the focus. Wait until it is visible again, because its
    // return moves the link.
    await expect(buyerPage.getByRole('navigation', { name: 'Main' })).toBeVisible();
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
    expect(await listViolations(buyerPage)).toEqual([]);
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
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await intercept(sellerPage, '**/rest/v1/meeting-spots', async (route) => {
      await released;
      await route.continue();
    });
    await getButton(sellerPage, 'Suggest a time and place').tap();
    const dialog = sellerPage.getByRole('dialog', { name: 'Suggest a time and place' });
    const close = dialog.getByRole('button', { name: 'Close' });
    await close.focus();
    release();
    await expect(dialog.getByRole('radio').first()).toBeChecked();
    await expect(close).toBeFocused();
    await dialog.getByRole('radio', { name: 'Somewhere else' }).check();
    await dialog.getByLabel('Place').fill('In front of the library');
    await dialog.getByRole('button', { name: 'Add another time' }).tap();
    await dialog.getByLabel('Time 2', { exact: true }).selectOption('17:30');
    await dialog.getByRole('button', { name: 'Send suggestion' }).tap();
    await expect(getDeal(sellerPage)).toContainText('Ben Buyer can choose one of your times.');
    // The focus returns to the button that opened the dialog; its label has changed in the meantime.
    await expect(getButton(sellerPage, 'Suggest a new time')).toBeFocused();
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
    await expect(getDeal(buyerPage)).toContainText('Completed. You bought it.');
    await expect(getDeal(sellerPage)).toContainText('Completed. You sold it to Ben Buyer.');
  });

  await test.step('both review, and see the other review only when both exist', async () => {
    const review = async (page: Page, stars: string, text: string): Promise<void> => {
      await getButton(page, 'Write a review').tap();
      const dialog = page.getByRole('dialog', { name: /^How was it with/ });
      await dialog.getByRole('button', { name: 'Send review' }).tap();
      await expect(dialog.getByText('Choose one to five stars')).toBeVisible();
      await expect(dialog.getByRole('radio', { name: '1 star' })).toBeFocused();
      await dialog.getByRole('radio', { name: stars }).check({ force: true });
      await dialog.getByRole('checkbox', { name: 'Friendly' }).check();
      await dialog.getByLabel('Your review (optional)').fill(text);
      expect(await listViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Send review' }).tap();
      await expect(dialog).toHaveCount(0);
    };
    await getButton(buyerPage, 'Write a review').tap();
    await buyerPage.getByLabel('Your review (optional)').fill('Half a sentence');
    await buyerPage.reload();
    await getButton(buyerPage, 'Write a review').tap();
    await expect(buyerPage.getByLabel('Your review (optional)')).toHaveValue('Half a sentence');
    await buyerPage.getByRole('button', { name: 'Close' }).tap();
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
    await sellerPage.getByLabel('State').selectOption('Declined');
    await expect(sellerPage.getByText('No such transactions')).toBeVisible();
    expect(await listViolations(sellerPage)).toEqual([]);
    // Choose the other filter at the moment when the URL has changed but React has not rendered the page for
    // it yet.
    await sellerPage.getByLabel('Role').evaluate((role: HTMLSelectElement) => {
      const replaceState = history.replaceState.bind(history);
      history.replaceState = (...call) => {
        replaceState(...call);
        if (!String(call[2]).includes('completed')) return;
        history.replaceState = replaceState;
        queueMicrotask(() => {
          role.value = 'seller';
          role.dispatchEvent(new Event('change', { bubbles: true }));
        });
      };
    });
    await sellerPage.getByLabel('State').selectOption('Completed');
    await expect(sellerPage).toHaveURL('/profile?tab=history&state=completed&role=seller');
    await row.getByRole('link').tap();
    await expect(getDeal(sellerPage)).toBeVisible();
    await sellerPage.goBack();
    await expect(row).toContainText('Walnut desk with drawers');
    await expect(sellerPage.getByLabel('State')).toHaveValue('completed');
    await expect(sellerPage.getByLabel('Role')).toHaveValue('seller');
  });
  await Promise.all([sellerPage, buyerPage].map((page) => page.context().close()));
});

test('a gift: only the first claim in line can be accepted, and an outdated answer shows that the deal has changed', async ({
  browser,
  quad,
}) => {
  const giver = await signUp(quad, 'Gina Giver', createUniqueEmailAddress('gina'));
  const first = await signUp(quad, 'Fay First', createUniqueEmailAddress('fay'));
  const second = await signUp(quad, 'Sam Second', createUniqueEmailAddress('sam'));
  const listing = await postListing(quad, giver, 'Moving boxes, all sizes', { category: 'free', price: 0 });
  const pages = await Promise.all([giver, first, second].map((student) => openPhone(browser, quad, student)));
  const [giverPage, firstPage, secondPage] = pages as [Page, Page, Page];

  for (const page of [firstPage, secondPage]) {
    await page.goto(`/listing/${listing.slug}`);
    await getButton(page, 'I’d like this').tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Send request' }).tap();
    await expect(getDeal(page)).toContainText('You asked for this item.');
  }
  await expect(getDeal(secondPage)).toContainText('Number 2 in line.');

  await giverPage.goto(`/listing/${listing.slug}`);
  await getButton(giverPage, 'Offers').tap();
  const rows = giverPage.getByRole('dialog', { name: 'Offers' }).getByRole('listitem');
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText('Fay First would like this item.');
  await expect(rows.last().getByRole('button', { name: 'Accept' })).toHaveCount(0);

  // Make the first person in the queue withdraw while the seller's acceptance is being sent.
  const { promise: withdrawal, resolve: reportWithdrawal } = Promise.withResolvers<void>();
  await intercept(giverPage, '**/rest/v1/deals/*/transitions', async (route) => {
    await withdrawal;
    await route.continue();
  });
  await rows.first().getByRole('button', { name: 'Accept' }).tap();
  await getButton(firstPage, 'Withdraw').tap();
  await expect(getDeal(firstPage)).toContainText('The request was withdrawn.');
  await expect(getDeal(secondPage)).not.toContainText('Number 2 in line.');
  reportWithdrawal();
  await expect(giverPage.getByText('This deal has changed in the meantime.')).toBeVisible();
  await expect(rows).toHaveCount(1);
  await rows.filter({ hasText: 'Sam Second' }).getByRole('button', { name: 'Accept' }).tap();
  await expect(rows.filter({ hasText: 'Sam Second' })).toContainText('On hold for Sam Second');
  await expect(getDeal(secondPage)).toContainText('On hold for you');

  await test.step('the giver learns whom it concerns before the listing is withdrawn', async () => {
    await getButton(firstPage, 'I’d like this').tap();
    await firstPage.getByRole('dialog').getByRole('button', { name: 'Send request' }).tap();
    await expect(getDeal(firstPage)).toContainText('You asked for this item.');
    const listings = await giverPage.context().newPage();
    await listings.goto('/my-listings?tab=on-hold');
    const menu = listings.getByRole('button', { name: 'More actions for Moving boxes, all sizes' });
    await menu.tap();
    await listings.getByRole('menuitem', { name: 'Delete' }).tap();
    const question = listings.getByRole('dialog', { name: 'Delete this listing?' });
    await expect(question).toContainText('Sam Second has this on hold, Fay First asked for it.');
    await expect(question).toContainText('If you delete it, you cancel the hold and the offer is closed.');
    expect(await listViolations(listings)).toEqual([]);
    await question.getByRole('button', { name: 'Keep it' }).tap();
    await expect(question).toHaveCount(0);
    await menu.focus();
    await listings.keyboard.press('Enter');
    await listings.getByRole('menuitem', { name: 'Delete' }).press('Enter');
    const confirm = question.getByRole('button', { name: 'Delete' });
    await expect(confirm).toBeEnabled();
    await confirm.press('Enter');
    const undo = listings.getByRole('button', { name: 'Undo' });
    await expect(undo).toBeFocused();
    await undo.press('Enter');
    await expect(menu).toBeVisible();
    await listings.close();
    await getButton(firstPage, 'Withdraw').tap();
    await expect(getDeal(firstPage)).toContainText('The request was withdrawn.');
  });

  await chooseInMenu(secondPage, 'Cancel');
  const dialog = secondPage.getByRole('dialog', { name: 'Cancel this deal?' });
  await dialog.getByRole('button', { name: 'Cancel the deal' }).tap();
  await expect(dialog.getByText('Please give a reason')).toBeVisible();
  await dialog.getByLabel('Reason').fill('I found other boxes.');
  await dialog.getByRole('button', { name: 'Cancel the deal' }).tap();
  await expect(getDeal(secondPage)).toContainText('The deal was cancelled.');

  // Both people ask for the item again; the one who does not get it must be shown similar listings.
  for (const page of [firstPage, secondPage]) {
    await getButton(page, 'I’d like this').tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Send request' }).tap();
    await expect(getDeal(page)).toContainText('You asked for this item.');
  }
  await rows.filter({ hasText: 'Fay First' }).getByRole('button', { name: 'Accept' }).tap();
  await getButton(firstPage, 'I have it').tap();
  await firstPage.getByRole('dialog').getByRole('button', { name: 'I have it' }).tap();
  await expect(getDeal(secondPage)).toContainText(
    'This deal was closed: the item was given to somebody else.',
  );
  await secondPage.getByRole('link', { name: 'See similar items' }).tap();
  await expect(secondPage).toHaveURL(`/listing/${listing.slug}`);
  await Promise.all(pages.map((page) => page.context().close()));
});

test('a rental: the days and their price, an extension, and the return', async ({ browser, quad }) => {
  const owner = await signUp(quad, 'Olga Owner', createUniqueEmailAddress('olga'));
  const renter = await signUp(quad, 'Rob Renter', createUniqueEmailAddress('rob'));
  const listing = await postListing(quad, owner, 'City bike with a lock', { category: 'rentals', price: 12 });
  const [ownerPage, renterPage] = [
    await openPhone(browser, quad, owner),
    await openPhone(browser, quad, renter),
  ];

  await renterPage.goto(`/listing/${listing.slug}`);
  await getButton(renterPage, 'Request these days').tap();
  const dialog = renterPage.getByRole('dialog', { name: 'Request these days' });
  await dialog.getByRole('button', { name: 'Send request' }).tap();
  await expect(dialog.getByRole('alert')).toHaveText('Choose the first and the last day');
  await dialog.getByRole('button', { name: 'Go to the Next Month' }).tap();
  const days = dialog.getByRole('gridcell').getByRole('button');
  await days.nth(9).tap();
  await days.nth(11).tap();
  await expect(dialog.getByText(/10 – 12: 3 days/)).toBeVisible();
  await dialog.getByLabel('Total price').fill('30');
  expect(await listViolations(renterPage)).toEqual([]);
  await dialog.getByRole('button', { name: 'Send request' }).tap();
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
  await expect(getDeal(ownerPage)).toContainText('Completed. You have it back.');
  await Promise.all([ownerPage, renterPage].map((page) => page.context().close()));
});

import { randomUUID } from 'node:crypto';
import { expect, type Page, type Route } from '@playwright/test';
import postgres from 'postgres';
import { listingRemovalQueue } from '#server/listings/removal-queue.ts';
import { connectToEmbeddedDatabase } from '#server/platform/postgres/embedded-connection.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import type { QuadServer } from './support/quad-server.ts';
import { callApi, openSignedInBrowser, postListing, signUp, uploadPhoto } from './support/students.ts';
import { intercept } from './support/test.ts';

// The tests of this file are independent of each other, so they run in several workers.
test.describe.configure({ mode: 'parallel' });

const listingTitles = [1, 2, 3, 4, 5].map((number) => `Walnut desk lamp no. ${number}`);

test('My Listings loads page by page, and a change made while a page loads is kept', async ({
  browser,
  quad,
}) => {
  const seller = await signUp(quad, 'Sam Seller', createUniqueEmailAddress('sam'));
  for (const title of listingTitles) await postListing(quad, seller, title);
  const context = await openSignedInBrowser(browser, quad, seller);
  const page = await context.newPage();
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Limits each page of results to two listings instead of a hundred, and holds back the request for the second page.
  await intercept(page, '**/rest/v1/me/listings?*', async (route) => {
    const url = new URL(route.request().url());
    if (url.searchParams.has('cursor')) await released;
    url.searchParams.set('limit', '2');
    await route.continue({ url: url.toString() }).catch(() => undefined);
  });
  await page.goto('/my-listings');
  const cards = page.getByRole('tabpanel').getByRole('listitem');
  await expect(cards).toHaveCount(2);
  await expect(page.getByRole('tab', { name: 'Active' })).toContainText('5');

  await page.getByRole('button', { name: `Mark as Draft ${listingTitles[4]}` }).click();
  await expect(page.getByText('Marked as draft')).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Active' })).toContainText('4');
  release();
  await expect(cards).toHaveCount(4);
  expect(await cards.getByRole('heading').allInnerTexts()).toEqual(listingTitles.slice(0, 4).reverse());
  await expect(page.getByRole('button', { name: /Load more|Try again/ })).toHaveCount(0);
  await page.getByRole('tab', { name: 'Drafts' }).click();
  await expect(cards.getByRole('heading')).toHaveText(listingTitles.slice(4));
  await context.close();
});

for (const isRefused of [false, true]) {
  const other = isRefused ? ', even if another change fails meanwhile' : '';
  test(`an offer that arrives while a listing is being published is not forgotten${other}`, async ({
    browser,
    quad,
  }) => {
    const seller = await signUp(quad, 'Sam Seller', createUniqueEmailAddress('sam'));
    const buyer = await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben'));
    const title = 'Walnut desk lamp';
    const second = await postListing(quad, seller, 'Oak bookshelf');
    const listing = await postListing(quad, seller, title);
    const context = await openSignedInBrowser(browser, quad, seller);
    const page = await context.newPage();
    await page.goto('/my-listings');
    await page.getByRole('button', { name: `Mark as Draft ${title}` }).click();
    await expect(page.getByText('Marked as draft')).toBeVisible();
    await page.getByRole('tab', { name: 'Drafts' }).click();

    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: published, resolve: reportPublished } = Promise.withResolvers<void>();
    await intercept(page, `**/rest/v1/me/listings/${listing.id}`, async (route) => {
      if (route.request().method() !== 'PATCH') return route.fallback();
      const response = await route.fetch();
      reportPublished();
      await released;
      await route.fulfill({ response });
    });
    await page.getByRole('button', { name: `Publish Item ${title}` }).click();
    await published;
    const refreshed = page.waitForResponse(
      async (answer) =>
        answer.url().includes('/rest/v1/me/listings?') && (await answer.json()).items[0]?.open_deals === 1,
    );
    await callApi(quad, '/rest/v1/deals', {
      token: buyer.token,
      body: { client_id: randomUUID(), listing_id: listing.id },
    });
    await refreshed;
    const refused = Promise.withResolvers<void>();
    await intercept(page, `**/rest/v1/me/listings/${second.id}`, async (route) => {
      await refused.promise;
      await route.abort();
    });
    await page.getByRole('tab', { name: 'Active' }).click();
    if (isRefused) await page.getByRole('button', { name: 'Mark as Draft Oak bookshelf' }).click();
    release();
    await expect(page.getByText('Marked as active')).toBeVisible();
    refused.resolve();
    if (isRefused) await expect(page.getByText('Failed to update listing')).toBeVisible();
    await page.getByRole('button', { name: `Mark as Draft ${title}` }).click();
    await expect(page.getByRole('dialog', { name: 'Mark as draft?' })).toContainText(
      'Ben Buyer asked for it.',
    );
    await context.close();
  });
}

test('My Listings shows five listings at once on a phone, each with one action and a menu', async ({
  browser,
  quad,
}) => {
  const seller = await signUp(quad, 'Sam Seller', createUniqueEmailAddress('sam'));
  const photos = [await uploadPhoto(quad, seller)];
  for (const title of listingTitles) await postListing(quad, seller, title, { photos });
  await postListing(quad, seller, 'Walnut writing desk with two drawers');
  const context = await openSignedInBrowser(browser, quad, seller, {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  await page.goto('/my-listings');
  const rows = page.getByRole('tabpanel').getByRole('listitem');
  const row = (title: string | undefined) => rows.filter({ hasText: title ?? '' });
  const menuOf = (title: string | undefined) =>
    page.getByRole('button', { name: `More actions for ${title}` });
  await expect(rows).toHaveCount(6);

  await test.step('each shows photo, title, price and state', async () => {
    for (const index of [0, 1, 2, 3, 4]) await expect(rows.nth(index)).toBeInViewport({ ratio: 1 });
    // The fourth tab must be partly visible, so that people see that there are more than three tabs.
    await expect(page.getByRole('tab', { name: 'Rented' }).getByText('Rented')).toBeInViewport({
      ratio: 0.2,
    });
    const fifthRow = await rows.nth(4).boundingBox();
    const bottomBar = await page.getByRole('navigation', { name: 'Main' }).boundingBox();
    expect((fifthRow?.y ?? 0) + (fifthRow?.height ?? 740)).toBeLessThanOrEqual(bottomBar?.y ?? 0);
    await expect(row(listingTitles[4])).toContainText('$40');
    await expect(row(listingTitles[4])).toContainText('Active');
    await expect(row(listingTitles[4]).locator('img[src*="/listing-photos/"]')).toBeVisible();
    await expect(rows.getByRole('button', { name: /Delete|Mark as Draft/ })).toHaveCount(0);
    await expect(rows.getByRole('link', { name: `Edit ${listingTitles[4]}` })).toBeVisible();
    for (const target of await rows
      .getByRole('button')
      .or(rows.getByRole('link', { name: /^Edit/ }))
      .all()) {
      const box = await target.boundingBox();
      // The browser computes sizes in single precision, so 44 px may be reported as 43.99997.
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThan(43.99);
    }
  });

  await test.step('a draft can be published, and its tab is in the address', async () => {
    await menuOf(listingTitles[4]).tap();
    await page.getByRole('menuitem', { name: 'Mark as Draft' }).tap();
    await expect(row(listingTitles[4])).toHaveCount(0);
    const active = page.getByRole('tab', { name: 'Active' });
    await expect(active).toBeFocused();
    expect(await active.evaluate((it) => it.matches(':focus-visible'))).toBe(false);
    await page.getByRole('tab', { name: 'Drafts' }).tap();
    await expect(page).toHaveURL('/my-listings?tab=drafts');
    await expect(row(listingTitles[4])).toContainText('Draft');
    await menuOf(listingTitles[4]).tap();
    await page.getByRole('menuitem', { name: 'Edit' }).tap();
    await expect(page).toHaveURL(/\/post-ad\?edit=/);
    await page.goBack();
    await expect(page.getByRole('tab', { name: 'Drafts' })).toHaveAttribute('aria-selected', 'true');
    await page.reload();
    await page.getByRole('button', { name: `Publish Item ${listingTitles[4]}` }).tap();
    await expect(page.getByText('No draft listings')).toBeVisible();
    await page.getByRole('tab', { name: 'Active' }).tap();
    await expect(page).toHaveURL('/my-listings');
    await expect(rows).toHaveCount(6);
  });

  await test.step('the list on the profile cuts no title of six words', async () => {
    await page.goto('/profile');
    const title = page
      .getByRole('region', { name: 'My Listings' })
      .getByText('Walnut writing desk with two drawers');
    await expect(title).toBeVisible();
    expect(await title.evaluate((it) => it.scrollHeight - it.clientHeight)).toBeLessThanOrEqual(1);
  });

  await context.close();
});

/** Moves all deletions into the past, instead of waiting until the listings can no longer be restored. */
const endRestoreWindow = async (quad: QuadServer): Promise<void> => {
  const { url } = await connectToEmbeddedDatabase({ dataDir: quad.dataDir, log: silentLog });
  const sql = postgres(url, { max: 1 });
  await sql`UPDATE listings SET deleted_at = deleted_at - interval '1 minute' WHERE deleted_at IS NOT NULL`;
  await sql`
    UPDATE pgboss.job SET start_after = now()
    WHERE name = ${listingRemovalQueue.name} AND state = 'created'`;
  await sql.end();
};

test('promise 60: a deleted listing can be restored for ten seconds, and is removed with its files afterwards', async ({
  browser,
  quad,
}) => {
  const seller = await signUp(quad, 'Sam Seller', createUniqueEmailAddress('sam'));
  const photo = await uploadPhoto(quad, seller);
  const removedTitle = 'Walnut chair that is gone';
  await postListing(quad, seller, removedTitle, { photos: [photo] });
  const title = 'Walnut desk that comes back';
  const listing = await postListing(quad, seller, title);
  const otherTitles = listingTitles.slice(0, 2);
  for (const other of otherTitles) await postListing(quad, seller, other);
  const context = await openSignedInBrowser(browser, quad, seller, {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  const getStatus = async (path: string): Promise<number> => (await fetch(`${quad.url}${path}`)).status;
  const openMyListings = async (): Promise<Page> => {
    const page = await context.newPage();
    await page.goto('/my-listings');
    return page;
  };
  const undo = (page: Page) => page.getByRole('button', { name: 'Undo' });
  const listRows = (page: Page) => page.getByRole('tabpanel').getByRole('listitem');
  const deleteListing = async (page: Page, name: string): Promise<void> => {
    await page.getByRole('button', { name: `More actions for ${name}` }).tap();
    await page.getByRole('menuitem', { name: 'Delete' }).tap();
    await expect(listRows(page).filter({ hasText: name })).toHaveCount(0);
    await expect(undo(page).first()).toBeVisible();
  };

  // Delay the request that restores the first listing until the end of this test. By then the server has
  // removed the listing permanently.
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const latePage = await openMyListings();
  await intercept(latePage, '**/restore', async (route) => {
    await released;
    await route.continue();
  });
  await deleteListing(latePage, removedTitle);
  await undo(latePage).tap();
  await expect(listRows(latePage)).toHaveCount(4);
  const page = await openMyListings();
  await expect(listRows(page)).toHaveCount(3);

  await test.step('it disappears for everybody without a question, and Undo brings it back', async () => {
    await deleteListing(page, title);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('tab', { name: 'Active' })).toBeFocused();
    expect(await getStatus(`/listing/${listing.slug}`)).toBe(404);
    await undo(page).tap();
    await expect(page.getByText('Listing restored').first()).toBeVisible();
    await expect(page.getByText('Listing deleted')).toHaveCount(0);
    await expect(listRows(page)).toHaveCount(3);
    expect(await getStatus(`/listing/${listing.slug}`)).toBe(200);
  });

  await test.step('Undo works from another screen', async () => {
    await deleteListing(page, title);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Profile' }).tap();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sam Seller');
    await expect(page.getByRole('main').getByText(title)).toHaveCount(0);
    await undo(page).tap();
    await expect(page.getByText('Listing restored').first()).toBeVisible();
    await expect(page.getByRole('main').getByText(title)).toBeVisible();
    await page.goto('/my-listings');
    await expect(listRows(page)).toHaveCount(3);
  });

  await test.step('one Undo brings back all listings that were just deleted', async () => {
    for (const other of [...otherTitles, title]) await deleteListing(page, other);
    await expect(page.getByText('3 listings deleted').first()).toBeVisible();
    await expect(undo(page)).toHaveCount(1);
    await undo(page).tap();
    await expect(listRows(page)).toHaveCount(3);
    await expect(undo(page)).toHaveCount(0);
  });

  await test.step('a lost response does not hide whether a listing was deleted or restored', async () => {
    const loseResponse = async (route: Route): Promise<void> => {
      if (route.request().method() === 'GET') return route.fallback();
      await route.fetch();
      await route.abort();
    };
    const changes = /\/rest\/v1\/me\/listings\/[^/]+(\/restore)?$/;
    await intercept(page, changes, loseResponse);
    await deleteListing(page, title);
    await expect(page.getByText('Listing deleted').first()).toBeVisible();
    expect(await getStatus(`/listing/${listing.slug}`)).toBe(404);
    await undo(page).tap();
    await expect(listRows(page)).toHaveCount(3);
    await expect.poll(() => getStatus(`/listing/${listing.slug}`)).toBe(200);
    await expect(page.getByText('Failed to restore listing')).toHaveCount(0);
    await page.unroute(changes);

    await intercept(page, '**/rest/v1/me/listings/**', (route) => route.abort());
    await page.getByRole('button', { name: `More actions for ${title}` }).tap();
    await page.getByRole('menuitem', { name: 'Delete' }).tap();
    await expect(page.getByText('No response. The listing may have been deleted').first()).toBeVisible();
    await expect(listRows(page)).toHaveCount(3);
    await page.unroute('**/rest/v1/me/listings/**');
    await undo(page).tap();
    await expect(undo(page)).toHaveCount(0);
    await expect(listRows(page)).toHaveCount(3);
  });

  await test.step('an Undo that cannot be sent can be tried again', async () => {
    await deleteListing(page, title);
    await context.setOffline(true);
    await undo(page).tap();
    await expect(page.getByText('Failed to restore listing')).toBeVisible();
    await expect(listRows(page)).toHaveCount(2);
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Try Again' }).tap();
    await expect(listRows(page)).toHaveCount(3);
  });

  await test.step('closing the tab does not undo', async () => {
    await deleteListing(page, title);
    await page.close();
    expect(await getStatus(`/listing/${listing.slug}`)).toBe(404);
  });

  await test.step('afterwards its files are removed, and Undo says that it is too late', async () => {
    await endRestoreWindow(quad);
    await expect.poll(() => getStatus(photo), { timeout: 30_000 }).toBe(404);
    release();
    await expect(
      latePage.getByText('It is too late to undo: the listing is deleted for good.'),
    ).toBeVisible();
    await expect(listRows(latePage).filter({ hasText: removedTitle })).toHaveCount(0);
  });
  await context.close();
});

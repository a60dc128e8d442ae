import { expect } from '@playwright/test';
import { listingRemovalQueue } from '#server/features/listings/removal-queue.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { connectToEmbeddedDatabase } from '#server/platform/postgres/embedded-connection.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import type { QuadServer } from './support/quad-server.ts';
import { openSignedInBrowser, postListing, signUp, uploadPhoto } from './support/students.ts';
import { intercept } from './support/test.ts';

/** Moves all deletions into the past, instead of waiting until the listings can no longer be restored. */
const endRestoreWindow = async (quad: QuadServer): Promise<void> => {
  const { url } = await connectToEmbeddedDatabase({ dataDir: quad.dataDir, log: silentLog });
  const sql = openDatabase(url, { max: 1 });
  await sql`UPDATE listings SET deleted_at = deleted_at - interval '1 minute' WHERE deleted_at IS NOT NULL`;
  await sql`
    UPDATE pgboss.job SET start_after = now()
    WHERE name = ${listingRemovalQueue.name} AND state = 'created'`;
  await sql.end();
};

test('promise 60: on a phone, My Listings shows five listings at once, and a deleted one can be restored for ten seconds', async ({
  browser,
  quad,
}) => {
  const seller = await signUp(quad, 'Sam Seller', createUniqueEmailAddress('sam'));
  const photo = await uploadPhoto(quad, seller);
  const removedTitle = 'Walnut chair that is gone';
  await postListing(quad, seller, removedTitle, { photos: [photo] });
  const otherTitles = [1, 2, 3, 4].map((number) => `Walnut desk lamp no. ${number}`);
  for (const other of otherTitles) await postListing(quad, seller, other);
  const title = 'Walnut writing desk with two drawers';
  const listing = await postListing(quad, seller, title);
  const context = await openSignedInBrowser(browser, quad, seller, {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  const getStatus = async (path: string): Promise<number> => (await fetch(`${quad.url}${path}`)).status;
  const undo = page.getByRole('button', { name: 'Undo' });
  const rows = page.getByRole('tabpanel').getByRole('listitem');
  const getRow = (name: string) => rows.filter({ hasText: name });
  const chooseAction = async (name: string, action: string): Promise<void> => {
    await page.getByRole('button', { name: `More actions for ${name}` }).tap();
    await page.getByRole('menuitem', { name: action }).tap();
    await expect(getRow(name)).toHaveCount(0);
  };
  await page.goto('/my-listings');

  await test.step('each of five listings has photo, title, price and state, one action and a menu', async () => {
    await expect(rows).toHaveCount(6);
    for (const index of [0, 1, 2, 3, 4]) await expect(rows.nth(index)).toBeInViewport({ ratio: 1 });
    // The fourth tab must be partly visible, so that people see that there are more than three tabs.
    await expect(page.getByRole('tab', { name: 'Rented' }).getByText('Rented')).toBeInViewport({
      ratio: 0.2,
    });
    const fifthRow = await rows.nth(4).boundingBox();
    const bottomBar = await page.getByRole('navigation', { name: 'Main' }).boundingBox();
    expect((fifthRow?.y ?? 0) + (fifthRow?.height ?? 740)).toBeLessThanOrEqual(bottomBar?.y ?? 0);
    await expect(getRow(title)).toContainText('$40');
    await expect(getRow(title)).toContainText(/\d+ \w+ ago/);
    await expect(getRow(removedTitle).locator('img[src*="/listing-photos/"]')).toBeVisible();
    await expect(rows.getByRole('button', { name: /Delete|Mark as Draft/ })).toHaveCount(0);
    await expect(rows.getByRole('button', { name: /^Mark as Sold/ })).toHaveCount(6);
    for (const target of await rows.getByRole('button').all()) {
      const box = await target.boundingBox();
      // The browser computes sizes in single precision, so 44 px may be reported as 43.99997.
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThan(43.99);
    }
  });

  await test.step('a draft can be published, and its tab is in the address', async () => {
    await chooseAction(title, 'Mark as Draft');
    const active = page.getByRole('tab', { name: 'Active' });
    await expect(active).toBeFocused();
    expect(await active.evaluate((it) => it.matches(':focus-visible'))).toBe(false);
    await page.getByRole('tab', { name: 'Drafts' }).tap();
    await expect(page).toHaveURL('/my-listings?tab=drafts');
    await page.reload();
    await expect(getRow(title)).toContainText('Draft');
    await page.getByRole('button', { name: `Publish Item ${title}` }).tap();
    await expect(page.getByText('No draft listings')).toBeVisible();
    await active.tap();
    await expect(page).toHaveURL('/my-listings');
    await expect(rows).toHaveCount(6);
  });

  await test.step('a deleted listing disappears for everybody without a question, and Undo restores it from another screen', async () => {
    await chooseAction(title, 'Delete');
    await expect(undo).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    expect(await getStatus(`/listing/${listing.slug}`)).toBe(404);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Profile' }).tap();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sam Seller');
    await undo.tap();
    await expect(page.getByText('Listing restored').first()).toBeVisible();
    await page.goto('/profile?tab=listings');
    const own = page.getByRole('main').getByText(title).first();
    await expect(own).toBeVisible();
    // The list on the profile cuts no title of six words.
    expect(await own.evaluate((it) => it.scrollHeight - it.clientHeight)).toBeLessThanOrEqual(1);
    expect(await getStatus(`/listing/${listing.slug}`)).toBe(200);
  });

  await test.step('afterwards its files are removed, and an Undo that arrives then says that it is too late', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await intercept(page, '**/restore', async (route) => {
      await released;
      await route.continue();
    });
    await page.goto('/my-listings');
    await chooseAction(removedTitle, 'Delete');
    await undo.tap();
    await endRestoreWindow(quad);
    await expect.poll(() => getStatus(photo)).toBe(404);
    release();
    await expect(page.getByText('It is too late to undo: the listing is deleted for good.')).toBeVisible();
    await expect(getRow(removedTitle)).toHaveCount(0);
  });
  await context.close();
});

import { randomUUID } from 'node:crypto';
import { expect, type Route } from '@playwright/test';
import type { Deal } from '../contract/deals.ts';
import { updateTestDatabase } from './support/database.ts';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { forgetShiftsOfFont, listShiftedElements, recordLayoutShifts } from './support/layout-shifts.ts';
import { callApi, openSignedInBrowser, postListing, signUp } from './support/students.ts';
import { intercept } from './support/test.ts';

test('the page of a listing shows the notice about a hold that ends soon, without a layout shift', async ({
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
  await callApi(quad, `/rest/v1/deals/${deal.id}/transitions`, {
    token: seller.token,
    body: { client_id: randomUUID(), transition: 'accept' },
  });
  await updateTestDatabase(
    quad,
    (sql) => sql`UPDATE deals SET deadline_at = now() + interval '150 minutes' WHERE id = ${deal.id}`,
  );
  const notice = page.getByRole('main').getByText('The hold ends soon');
  // The space for the notice is that of the font, so the deal arrives after the font.
  await recordLayoutShifts(page, { hasFont: true });
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    const { promise: released, resolve: releaseDeal } = Promise.withResolvers<void>();
    const holdDeal = async (route: Route) => {
      await released;
      await route.continue();
    };
    await intercept(page, '**/rest/v1/deals/about/*', holdDeal, { times: 1 });
    await page.goto(`/listing/${listing.slug}`);
    await forgetShiftsOfFont(page);
    releaseDeal();
    await expect(notice).toBeInViewport();
    await expect(page.getByRole('main').getByText('We agreed in chat')).toBeInViewport();
    expect(await listShiftedElements(page), `${width}`).toEqual([]);
  }

  await context.close();
});

import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { waitForHydration } from './support/hydration.ts';
import { listShiftedElements, recordLayoutShifts } from './support/layout-shifts.ts';
import { callApi, postListing, signUp } from './support/students.ts';

test('a seller’s profile with reviews is one tap away from a listing and from a card', async ({
  browser,
  quad,
}) => {
  const ada = await signUp(quad, 'Ada Seller', createUniqueEmailAddress('ada'));
  const buyer = await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben'));
  const [lamp, chair] = ['Reading lamp with a heavy foot', 'Folding chair for the balcony'];
  const { slug } = await postListing(quad, ada, lamp);
  await postListing(quad, ada, chair);
  await postListing(quad, buyer, 'Bookends of dark green marble');
  const sold = await postListing(quad, ada, 'Box of books');
  const { id } = await callApi<{ id: string }>(quad, '/rest/v1/deals', {
    token: buyer.token,
    body: { client_id: randomUUID(), listing_id: sold.id },
  });
  for (const [{ token }, transition] of [
    [ada, 'accept'],
    [buyer, 'received'],
  ] as const)
    await callApi(quad, `/rest/v1/deals/${id}/transitions`, {
      token,
      body: { client_id: randomUUID(), transition },
    });
  await callApi(quad, `/rest/v1/deals/${id}/review`, {
    token: buyer.token,
    body: { rating: 4, text: 'Just as described.', tags: ['Friendly', 'On time'] },
  });
  await callApi(quad, `/rest/v1/deals/${id}/review`, {
    token: ada.token,
    body: { rating: 5, text: 'Thanks, Ben.' },
  });

  const visitor = await browser.newContext({
    baseURL: quad.url,
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await visitor.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await recordLayoutShifts(page);
  const heading = page.getByRole('heading', { level: 1, name: 'Ada Seller' });
  const rating = { name: /^Rated 4(\.0)? of 5 in 1 review$/ };
  const reviews = page.getByRole('region', { name: 'Reviews' });

  await test.step('from the page of a listing, and back', async () => {
    await page.goto(`/listing/${slug}`);
    await waitForHydration(page);
    await expect(page.getByRole('article').getByRole('img', rating)).toBeVisible();
    await page.getByRole('article').getByRole('link', { name: 'Ada Seller' }).tap();
    await expect(heading).toBeFocused();
    await expect(page).toHaveURL(/\/users\/[0-9a-f-]{36}$/);
    await expect(page.getByText(/^Member since [A-Z][a-z]+ \d{4}$/)).toBeVisible();
    await expect(page.getByText('1 completed trade')).toBeVisible();
    await expect(page.getByRole('main').getByRole('heading', { level: 3, name: chair })).toBeVisible();
    await expect(page.getByRole('main').getByRole('heading', { level: 3, name: lamp })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1, name: lamp })).toBeVisible();
  });

  await test.step('from a card, whose other parts still open the listing', async () => {
    await page.goto('/browse');
    await waitForHydration(page);
    const card = page.getByRole('main').getByRole('listitem').filter({ hasText: chair });
    const link = card.getByRole('link', { name: 'Ada Seller' });
    expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(36);
    await link.tap();
    await expect(heading).toBeVisible();
    await page.goBack();
    // The profile shows the same card.
    await expect(heading).toBeHidden();
    await card.getByText(chair).tap();
    await expect(page.getByRole('heading', { level: 1, name: chair })).toBeVisible();
    await page.getByRole('article').getByRole('link', { name: 'Ada Seller' }).tap();
    await expect(heading).toBeVisible();
  });

  await test.step('a review can be reported, and leads to the profile of its author', async () => {
    await page.reload();
    await expect(heading).toBeVisible();
    await waitForHydration(page);
    await expect(page.getByRole('main').getByRole('img', rating)).toBeVisible();
    await expect(reviews.getByText('Just as described.')).toBeVisible();
    expect(await listShiftedElements(page)).toEqual([]);
    await reviews.getByRole('button', { name: 'Report the review by Ben Buyer' }).tap();
    await expect(page.getByRole('dialog', { name: 'Report Review' }).getByLabel('Item Link')).toHaveValue(
      /\/users\/[0-9a-f-]{36}#review-[0-9a-f-]{36}$/,
    );
    await page.keyboard.press('Escape');
    await reviews.getByRole('link', { name: 'Ben Buyer' }).tap();
    await expect(page.getByText('Thanks, Ben.')).toBeVisible();
  });
  expect(errors).toEqual([]);
  await visitor.close();
});

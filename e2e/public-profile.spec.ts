import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import { listViolationsInBothThemes, noViolationsInBothThemes } from './support/axe.ts';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { listShiftedElements, recordLayoutShifts } from './support/layout-shifts.ts';
import type { QuadServer } from './support/quad-server.ts';
import { callApi, openSignedInBrowser, postListing, type Student, signUp } from './support/students.ts';

const startDeal = (quad: QuadServer, buyer: Student, listingId: string): Promise<{ id: string }> =>
  callApi(quad, '/rest/v1/deals', {
    token: buyer.token,
    body: { client_id: randomUUID(), listing_id: listingId },
  });

const takeDealTransition = (quad: QuadServer, student: Student, id: string, transition: string) =>
  callApi<unknown>(quad, `/rest/v1/deals/${id}/transitions`, {
    token: student.token,
    body: { client_id: randomUUID(), transition },
  });

const phoneBrowserOptions = {
  viewport: { width: 360, height: 740 },
  hasTouch: true,
  isMobile: true,
} as const;

test('a seller’s profile is one tap away from a listing and from a card, and its owner can edit it', async ({
  browser,
  quad,
}) => {
  const ada = await signUp(quad, 'Ada Seller', createUniqueEmailAddress('ada'));
  const bob = await signUp(quad, 'Bob Neighbor', createUniqueEmailAddress('bob'));
  const [lamp, chair] = ['Reading lamp with a heavy foot', 'Folding chair for the balcony'];
  const { slug } = await postListing(quad, ada, lamp);
  await postListing(quad, ada, chair);
  await postListing(quad, bob, 'Bookends of dark green marble');

  const visitor = await browser.newContext({ ...phoneBrowserOptions, baseURL: quad.url });
  const page = await visitor.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await recordLayoutShifts(page);
  const heading = page.getByRole('heading', { level: 1, name: 'Ada Seller' });

  await test.step('from the page of a listing, and back', async () => {
    await page.goto(`/listing/${slug}`, { waitUntil: 'networkidle' });
    await page.getByRole('article').getByRole('link', { name: 'Ada Seller' }).tap();
    await expect(heading).toBeFocused();
    await expect(page).toHaveURL(/\/users\/[0-9a-f-]{36}$/);
    await expect(page.getByText(/^Member since [A-Z][a-z]+ \d{4}$/)).toBeVisible();
    const titles = page.getByRole('main').getByRole('heading', { level: 3 });
    await expect(titles).toHaveText([chair, lamp]);
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1, name: lamp })).toBeVisible();
  });

  await test.step('from a card, whose other parts still open the listing', async () => {
    await page.goto('/browse', { waitUntil: 'networkidle' });
    const card = page.getByRole('main').getByRole('listitem').filter({ hasText: chair });
    const link = card.getByRole('link', { name: 'Ada Seller' });
    const box = await link.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(36);
    await link.tap();
    await expect(heading).toBeVisible();
    await page.reload({ waitUntil: 'networkidle' });
    expect(await listShiftedElements(page)).toEqual([]);
    await page.getByRole('main').getByText(chair).tap();
    await expect(page.getByRole('heading', { level: 1, name: chair })).toBeVisible();
    expect(errors).toEqual([]);
  });
  await visitor.close();

  await test.step('the owner opens the editor, which says who sees the bio', async () => {
    const context = await openSignedInBrowser(browser, quad, ada);
    const own = await context.newPage();
    await own.goto(`/listing/${slug}`);
    await own.getByRole('article').getByRole('link', { name: 'Ada Seller' }).click();
    await own.getByRole('link', { name: 'Edit Profile' }).click();
    await expect(own.getByText('Everyone can see this')).toBeVisible();
    await context.close();
  });
});

test('reviews of completed deals appear on the profile, and the rating also on the listings of the seller', async ({
  browser,
  quad,
}) => {
  const ada = await signUp(quad, 'Ada Seller', createUniqueEmailAddress('ada'));
  const title = 'Floor lamp that lights a whole room';
  const { slug } = await postListing(quad, ada, title);
  const texts = [
    'Just as described.',
    'Friendly and on time.',
    'Carried it down for me.',
    'Quick to answer.',
  ];
  for (const [index, text] of texts.entries()) {
    const buyer = await signUp(quad, `Buyer ${index + 1}`, createUniqueEmailAddress(`buyer-${index}`));
    const item = await postListing(quad, ada, `Box of books, number ${index + 1}`);
    const { id } = await startDeal(quad, buyer, item.id);
    await takeDealTransition(quad, ada, id, 'accept');
    await takeDealTransition(quad, buyer, id, 'received');
    const path = `/rest/v1/deals/${id}/review`;
    const rating = index === 0 ? 4 : 5;
    await callApi(quad, path, { token: buyer.token, body: { rating, text, tags: ['Friendly', 'On time'] } });
    await callApi(quad, path, { token: ada.token, body: { rating: 5, text: `Thanks, buyer ${index + 1}.` } });
  }

  const visitor = await browser.newContext({ ...phoneBrowserOptions, baseURL: quad.url });
  const page = await visitor.newPage();
  await page.goto(`/listing/${slug}`, { waitUntil: 'networkidle' });
  const rated = { name: 'Rated 4.8 of 5 in 4 reviews' };
  await expect(page.getByRole('article').getByRole('img', rated)).toBeVisible();
  await page.getByRole('article').getByRole('link', { name: 'Ada Seller' }).tap();
  await expect(page.getByRole('heading', { level: 1, name: 'Ada Seller' })).toBeFocused();
  await expect(page.getByRole('main').getByRole('img', rated)).toBeVisible();
  await expect(page.getByText('4 completed trades')).toBeVisible();
  const reviews = page.getByRole('region', { name: 'Reviews' });
  await expect(reviews.getByText(texts[3] ?? '')).toBeVisible();
  await expect(reviews.getByText(texts[0] ?? '')).toHaveCount(0);
  expect(await listViolationsInBothThemes(page)).toEqual(noViolationsInBothThemes);
  await reviews.getByRole('button', { name: 'Show more reviews' }).tap();
  await expect(reviews.getByText(texts[0] ?? '')).toBeVisible();
  await expect(page.locator(':focus')).toContainText(texts[0] ?? '');
  await reviews.getByRole('button', { name: 'Report the review by Buyer 4' }).tap();
  await expect(page.getByRole('dialog', { name: 'Report Review' }).getByLabel('Item Link')).toHaveValue(
    /\/users\/[0-9a-f-]{36}#review-[0-9a-f-]{36}$/,
  );
  await page.keyboard.press('Escape');
  await reviews.getByRole('link', { name: 'Buyer 4' }).tap();
  await expect(page.getByText('Thanks, buyer 4.')).toBeVisible();
  await visitor.close();
});

import { randomUUID } from 'node:crypto';
import { expect, type Locator } from '@playwright/test';
import type { Deal } from '../contract/deals.ts';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { createPhotoFile } from './support/photos.ts';
import { callApi, openSignedInBrowser, postListing, signUp } from './support/students.ts';

test('the most frequent tasks take few taps', async ({ browser, quad }) => {
  const seller = await signUp(quad, 'Sam Seller', createUniqueEmailAddress('sam'));
  const buyer = await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben'));
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const context = await openSignedInBrowser(browser, quad, seller, phone);
  const page = await context.newPage();
  const getButton = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const getField = (name: string) => page.getByRole('textbox', { name, exact: true });

  let taps = 0;
  const tap = async (target: Locator): Promise<void> => {
    taps += 1;
    await target.tap();
  };
  const type = async (field: Locator, text: string): Promise<void> => {
    await tap(field);
    await page.keyboard.type(text);
  };
  /** Fills in what differs between the listings of a seller. */
  const fillItem = async (title: string, price: string): Promise<void> => {
    const chooser = page.waitForEvent('filechooser');
    await tap(getButton('Choose photos'));
    await (await chooser).setFiles([await createPhotoFile('item.jpg', { r: 20, g: 90, b: 60 })]);
    await type(getField('Title'), title);
    await tap(page.getByRole('radio', { name: 'Good' }));
    await type(page.getByRole('textbox', { name: 'Price' }), price);
    await type(getField('Description'), 'Solid oak with a few marks, easy to carry by two people.');
  };
  const countTaps = async (most: number, task: () => Promise<void>): Promise<void> => {
    taps = 0;
    await task();
    expect(taps).toBeLessThanOrEqual(most);
  };
  const listed = page.getByRole('dialog', { name: 'Listed' });

  await test.step('from Home, the first item is published with 12', async () => {
    await page.goto('/');
    await countTaps(12, async () => {
      await tap(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Post' }));
      await fillItem('Oak desk with two drawers', '40');
      // The list and one of its options.
      taps += 2;
      await page.getByLabel('Category').selectOption('furniture');
      await type(getField('Location'), 'Parkside');
      await tap(getButton('Use my email'));
      await tap(getButton('Post Ad'));
      await expect(listed).toBeVisible();
    });
  });

  await test.step('each further one with 8', async () => {
    await countTaps(8, async () => {
      await tap(listed.getByRole('button', { name: 'Post another' }));
      await expect(page).toHaveURL('/post-ad');
      await fillItem('Oak chair without a cushion', '20');
      await tap(getButton('Post Ad'));
      await expect(listed).toBeVisible();
      await expect(page).toHaveURL(/\/listing\/oak-chair-/);
    });
  });

  const { items } = await callApi<{ items: { id: string }[] }>(quad, '/rest/v1/me/listings', seller);
  const start = ({ id }: { id: string }): Promise<Deal> =>
    callApi(quad, '/rest/v1/deals', {
      token: buyer.token,
      body: { client_id: randomUUID(), listing_id: id },
    });
  const change = (token: string, { id }: Deal, body: object): Promise<Deal> =>
    callApi(quad, `/rest/v1/deals/${id}/transitions`, { token, body: { client_id: randomUUID(), ...body } });
  const [chair, desk] = [await start(items[0] as never), await start(items[1] as never)];
  await change(seller.token, desk, { transition: 'accept' });

  await test.step('in the inbox, an offer is accepted with 2', async () => {
    await page.goto('/messages');
    await countTaps(2, async () => {
      await tap(page.getByRole('link', { name: /Oak chair/ }));
      await tap(getButton('Accept'));
      await expect(page.getByText('held for Ben Buyer', { exact: false })).toBeVisible();
    });
  });

  await test.step('one suggestion for two items takes 2, and its meeting is on Home without any', async () => {
    await countTaps(2, async () => {
      await tap(getButton('Suggest a time and place'));
      await expect(page.getByRole('checkbox', { name: /Oak desk/ })).toBeChecked();
      await tap(getButton(/^Suggest Tomorrow 12 PM, Parkside · 2\sitems$/));
      await expect(page.getByText('Suggested for 2 items')).toBeVisible();
    });
    const suggested = await callApi<Deal>(quad, `/rest/v1/deals/${desk.id}`, buyer);
    const [time] = suggested.handover?.proposal?.times ?? [];
    await change(buyer.token, desk, { transition: 'agree_handover', time, also_for: [chair.id] });
    await page.goto('/');
    const card = page.getByRole('region', { name: 'Next handover' });
    await expect(card).toContainText('Parkside');
    await expect(card).toContainText(/Ben Buyer · 2 items: Oak (desk|chair).*, Oak (desk|chair).*\$60/);
  });

  await test.step('in My Listings, an item is sold with 1', async () => {
    const title = 'Oak shelf with four boards';
    await postListing(quad, seller, title);
    await page.goto('/my-listings');
    await countTaps(1, async () => {
      await tap(getButton(`Mark as Sold ${title}`));
      await expect(page.getByText('Marked as sold')).toBeVisible();
    });
  });
  await context.close();
});

import { expect, type Page } from '@playwright/test';
import { createUniqueEmailAddress } from '../support/fixtures.ts';
import { createPhotoFile } from '../support/photos.ts';
import { callApi, signUp } from '../support/students.ts';
import { getConversationId, getMessageInput, getThreadRegion, phoneBrowserOptions, test } from './screen.ts';

const attach = async (page: Page, names: readonly string[]): Promise<void> => {
  const files = await Promise.all(
    names.map((name, index) => createPhotoFile(name, { r: 60 + 60 * index, g: 90, b: 140 })),
  );
  await page.getByLabel('Choose photos').setInputFiles(files);
  await expect(page.getByRole('list', { name: 'Photos of your message' }).getByRole('img')).toHaveCount(
    names.length,
  );
};

/** Returns the addresses in the browser's caches. */
const listCachedAddresses = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const addresses: string[] = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) addresses.push(url);
    return addresses;
  });

test('promise 98: photos that were sent offline arrive with their caption once the phone is online', async ({
  meet,
  open,
  writeAll,
}) => {
  const { ada, ben, talks } = await meet();
  await writeAll(ben, talks[0], ['Hello']);
  await writeAll(ada, talks[0], ['Can you send a picture of the scratch?']);
  const path = `/messages?c=${getConversationId(talks[0])}`;
  const atDesk = await open(ada, { path });
  const onPhone = await open(ben, { path, ...phoneBrowserOptions });
  await expect(getThreadRegion(onPhone.page)).toBeVisible();

  await onPhone.context.setOffline(true);
  await attach(onPhone.page, ['front.jpg', 'back.jpg', 'scratch.jpg']);
  await getMessageInput(onPhone.page).fill('The last one is the scratch');
  await getMessageInput(onPhone.page).press('Enter');
  await expect(getThreadRegion(onPhone.page).getByText('Waiting for connection')).toBeVisible();
  await onPhone.context.setOffline(false);

  const received = atDesk.page.getByRole('button', { name: /^Photo 3 of 3 from Ben Buyer, / });
  await expect(received).toBeVisible();
  await expect(getThreadRegion(onPhone.page).getByText('Waiting for connection')).toBeHidden();
  await expect(atDesk.page.getByRole('region', { name: 'Conversations' })).toContainText(
    'The last one is the scratch',
  );

  await received.click();
  const viewer = atDesk.page.getByRole('dialog');
  await expect(viewer.getByRole('status').filter({ hasText: 'Photo 3 of 3' })).toBeVisible();
  await viewer.getByRole('button', { name: 'Previous photo' }).click();
  await expect(viewer.getByRole('status').filter({ hasText: 'Photo 2 of 3' })).toBeVisible();
  await atDesk.page.goBack();
  await expect(viewer).toBeHidden();
  await expect(received).toBeVisible();
  expect([...atDesk.errors, ...onPhone.errors]).toEqual([]);
});

test('promise 97: nothing of a photo remains in the browser after log-out, and its address opens for nobody else', async ({
  meet,
  open,
  writeAll,
  quad,
}) => {
  const { ben, talks } = await meet();
  await writeAll(ben, talks[0], ['Here is my old desk']);
  const { page } = await open(ben, { path: `/messages?c=${getConversationId(talks[0])}` });
  const loaded = page.waitForRequest(/\/photos\//).catch(() => undefined);
  await attach(page, ['desk.jpg']);
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByRole('button', { name: /^Photo from you, / })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: /^Photo from you, / })).toBeVisible();
  const address = (await loaded)?.url() ?? '';
  expect(address).toContain('/photos/');

  const stranger = await signUp(quad, 'Stella Stranger', createUniqueEmailAddress('stella'));
  await expect(callApi(quad, new URL(address).pathname, { token: stranger.token })).rejects.toThrow(/404/);
  expect((await page.request.get(address)).status()).toBe(401);
  expect((await listCachedAddresses(page)).filter((url) => url.includes('/photos/'))).toEqual([]);

  await page
    .getByRole('banner')
    .getByRole('button', { name: /Account menu/ })
    .click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible();
  const left = await listCachedAddresses(page);
  expect(left.filter((url) => /saved-files|photos\//.test(url))).toEqual([]);
});

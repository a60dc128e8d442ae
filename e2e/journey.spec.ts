import { type BrowserContext, expect, type Page } from '@playwright/test';
import { takeVerificationCode } from './support/mail-server.ts';
import { removeNewerFeatures } from './support/oldest-browsers.ts';
import { createPhotoFile } from './support/photos.ts';
import { type QuadServer, startQuad } from './support/quad-server.ts';
import { signUp, turnOffQuietHours } from './support/students.ts';
import { test } from './support/test.ts';

let quadServer: QuadServer;
test.beforeAll(async () => {
  quadServer = await startQuad();
});
test.afterAll(() => quadServer.stop());

/** Opens a page; returns it with an array that collects the page's console errors and uncaught errors. */
const openPage = async (context: BrowserContext): Promise<{ page: Page; errors: string[] }> => {
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  return { page, errors };
};

const password = 'cardinal-and-gold-1';

const completeSignUp = async (page: Page, person: { name: string; email: string }) => {
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  await field('Full name').fill(person.name);
  await field('Email').fill(person.email);
  await field('Password').fill(password);
  await field('Confirm password').fill(password);
  await page.getByRole('checkbox', { name: /Terms/ }).check();
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByText('Verification code sent to your email!')).toBeVisible();
  const code = await takeVerificationCode(quadServer.mail, person.email);
  await page.getByLabel('Verification code').fill(code);
};

const listingTitle = 'Walnut desk lamp with brass arm';

test('a student signs up and posts, another finds it and writes, and nothing is lost when the server is killed', async ({
  browser,
}) => {
  const sellerContext = await browser.newContext({ baseURL: quadServer.url });
  const buyerContext = await browser.newContext({ baseURL: quadServer.url });
  // Everything works in the oldest browsers that the README names.
  await removeNewerFeatures(sellerContext);
  await removeNewerFeatures(buyerContext);
  const { page: seller, errors: sellerErrors } = await openPage(sellerContext);
  const { page: buyer, errors: buyerErrors } = await openPage(buyerContext);
  const ada = { name: 'Ada Seller', email: 'ada@usc.edu' };
  const ben = await signUp(quadServer, 'Ben Buyer', 'ben@example.com');

  await test.step('A signs up with the code from the mail, and sets up the profile', async () => {
    await seller.goto('/');
    await seller.getByRole('banner').getByRole('link', { name: 'Sign Up' }).click();
    await completeSignUp(seller, ada);
    await expect(seller).toHaveURL(/\/profile-setup/);
    await expect(seller.getByLabel('Full name')).toHaveValue(ada.name);
    await seller.getByRole('radio', { name: /Student/ }).check();
    await seller.getByRole('button', { name: 'Complete Setup' }).click();
    await expect(seller).toHaveURL(/\/profile$/);
    await expect(seller.getByRole('heading', { name: ada.name })).toBeVisible();
  });

  // In quiet hours, no mail would be sent about the first message.
  const token = await seller.evaluate(
    () => JSON.parse(localStorage.getItem('quad.session') ?? '').access_token,
  );
  await turnOffQuietHours(quadServer, { token });

  await test.step('A posts a listing with two photos', async () => {
    await seller.getByRole('banner').getByRole('link', { name: 'Post Item' }).click();
    await expect(seller.getByRole('heading', { name: 'Post Your Ad' })).toBeVisible();
    const post = seller.getByRole('button', { name: 'Post Ad' });
    await seller.getByLabel('Title').fill(listingTitle);
    await seller.getByLabel('Category').selectOption('furniture');
    await seller.getByRole('radio', { name: 'Like New' }).check();
    await seller.getByRole('textbox', { name: 'Price' }).fill('42.50');
    await seller
      .getByLabel('Description')
      .fill('A warm reading lamp from my dorm room. Works perfectly, bulb included, pick up this week.');
    await seller.getByLabel('Location').fill('Parkside North');
    await seller.getByLabel('Contact email').fill(ada.email);
    await seller
      .locator('input[type=file]')
      .first()
      .setInputFiles([
        await createPhotoFile('lamp front.jpg', { r: 200, g: 120, b: 60 }),
        await createPhotoFile('lamp side.jpg', { r: 60, g: 90, b: 160 }),
      ]);
    await expect(seller.getByRole('img', { name: /^Preview of photo/ })).toHaveCount(2);
    await expect(seller.getByRole('progressbar')).toHaveCount(0);
    await post.click();
    await expect(seller.getByText('Your listing is published.')).toBeVisible();
    await expect(seller).toHaveURL(/\/listing\/walnut-desk-lamp-with-brass-arm-/);
    const sheet = seller.getByRole('dialog', { name: 'Listed' });
    await sheet.getByRole('button', { name: 'Close' }).click();
    await expect(seller.getByRole('heading', { name: listingTitle })).toBeVisible();
    await expect(seller.getByRole('link', { name: 'Edit Listing' })).toBeVisible();
    await expect(seller.getByRole('button', { name: 'Message Seller' })).toHaveCount(0);
  });

  await test.step('B, signed out, finds it on home and by search', async () => {
    await buyer.goto('/');
    await expect(buyer.getByRole('link', { name: new RegExp(listingTitle) }).first()).toBeVisible();
    await buyer.getByPlaceholder('Search by item or category...').first().fill('  BRASS arm ');
    await buyer.keyboard.press('Enter');
    await expect(buyer).toHaveURL(/\/search\?q=BRASS(\+|%20)arm$/);
    await expect(buyer.getByText('1 result for "BRASS arm"')).toBeVisible();
    await buyer
      .getByRole('link', { name: new RegExp(listingTitle) })
      .first()
      .click();
    await expect(buyer).toHaveURL(/\/product\/walnut-desk-lamp/);
    await expect(buyer.getByText('$42.50').first()).toBeVisible();
    const photo = buyer.getByRole('main').getByRole('img').first();
    await expect(photo).toBeVisible();
    await expect
      .poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
  });

  await test.step('B is asked to sign in, logs in, lands back on the listing, and writes', async () => {
    await buyer.getByRole('button', { name: 'Message Seller' }).click();
    const dialog = buyer.getByRole('dialog', { name: 'Sign in Required' });
    await expect(dialog).toContainText(
      'You need to be logged in to message sellers. Please sign in or create an account to continue.',
    );
    await dialog.getByRole('link', { name: 'Log In' }).click();
    await buyer.getByRole('textbox', { name: 'Email' }).fill(ben.email);
    await buyer.getByRole('textbox', { name: 'Password' }).fill(password);
    await buyer.getByRole('button', { name: 'Log In', exact: true }).click();
    await expect(buyer).toHaveURL(/\/listing\/walnut-desk-lamp/);
    const messages = buyer.getByRole('dialog');
    await messages.getByPlaceholder('Type your message...').fill('Hi! Is the lamp still there?');
    await buyer.keyboard.press('Enter');
    await expect(
      messages
        .getByRole('region', { name: /^Messages with/ })
        .getByText('Hi! Is the lamp still there?', { exact: true }),
    ).toBeVisible();
  });

  let stopUrl = '';
  await test.step('A is told by mail and in the navigation, and sees the message without a reload', async () => {
    const mail = await quadServer.mail.take(ada.email, 'wrote to you about');
    [, stopUrl = ''] = /Stop these emails: (\S+)/.exec(mail.text ?? '') ?? [];
    await seller
      .getByRole('navigation')
      .getByRole('link', { name: /Messages/ })
      .first()
      .click();
    await expect(seller.getByText('Hi! Is the lamp still there?', { exact: true }).first()).toBeVisible();
    await buyer.getByPlaceholder('Type your message...').fill('I could come by today.');
    await buyer.keyboard.press('Enter');
    await expect(seller.getByText('I could come by today.', { exact: true }).first()).toBeVisible();
  });

  await test.step('A answers, and B sees it', async () => {
    await seller.getByPlaceholder('Type your message...').fill('Yes! At five by the fountain?');
    await seller.keyboard.press('Enter');
    await expect(buyer.getByText('Yes! At five by the fountain?', { exact: true })).toBeVisible();
  });

  await test.step('nothing went wrong in either browser', async () => {
    expect(sellerErrors).toEqual([]);
    expect(buyerErrors).toEqual([]);
  });

  await test.step('the server dies and starts again: everything is there, both reconnect by themselves', async () => {
    await quadServer.kill();
    const dialog = buyer.getByRole('dialog');
    await expect(dialog.getByText('Connection lost. Reconnecting…')).toBeVisible();
    await buyer.getByPlaceholder('Type your message...').fill('Perfect, see you there.');
    await buyer.keyboard.press('Enter');
    await expect(dialog.getByText('Waiting for connection')).toBeVisible();
    await quadServer.start();
    await expect(dialog.getByText('Waiting for connection')).toHaveCount(0, { timeout: 30_000 });
    await expect(dialog.getByText('Connection lost. Reconnecting…')).toHaveCount(0);
    await expect(dialog.getByText('Perfect, see you there.', { exact: true })).toBeVisible();
    await expect(seller.getByText('Perfect, see you there.', { exact: true }).first()).toBeVisible({
      timeout: 30_000,
    });
    await seller.getByPlaceholder('Type your message...').fill('See you!');
    await seller.keyboard.press('Enter');
    await expect(buyer.getByText('See you!', { exact: true })).toBeVisible({ timeout: 30_000 });

    await seller.goto('/messages');
    for (const text of ['Hi! Is the lamp still there?', 'Yes! At five by the fountain?', 'See you!']) {
      await expect(seller.getByText(text, { exact: true }).last()).toBeVisible();
    }
  });

  await test.step('A stops such mails by the link in that mail, and sees it in the settings', async () => {
    const mailProgram = await browser.newContext();
    const page = await mailProgram.newPage();
    await page.goto(stopUrl);
    await page.getByRole('button', { name: 'Stop these emails' }).click();
    await expect(
      page.getByRole('heading', { name: 'You get no more emails about new messages' }),
    ).toBeVisible();
    await mailProgram.close();
    await seller.goto('/profile?tab=settings');
    await expect(seller.getByLabel('Messages: Email')).not.toBeChecked();
  });

  await sellerContext.close();
  await buyerContext.close();
});

import { type Browser, expect, type Page } from '@playwright/test';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { holdScript } from './support/hold-script.ts';
import { takeVerificationCode } from './support/mail-server.ts';
import { createPhotoFile } from './support/photos.ts';
import type { QuadServer } from './support/quad-server.ts';
import { openSignedInBrowser, postListing, signUp } from './support/students.ts';
import { translatePages } from './support/translator.ts';

// A browser that translates a page replaces its text nodes, which React still refers to. These tests use the product
// like somebody who reads every page in a translation.

const password = 'cardinal-and-gold-1';

/** Collects the uncaught errors of a page. React renders a page again that was translated before it took it over (418). */
const collectErrors = (page: Page): string[] => {
  const errors: string[] = [];
  page.on('pageerror', (error) => {
    if (!String(error).includes('Minified React error #418;')) errors.push(String(error));
  });
  return errors;
};

const openTranslatedPage = async (
  browser: Browser,
  quad: QuadServer,
): Promise<{ page: Page; errors: string[] }> => {
  const context = await browser.newContext({ baseURL: quad.url });
  await translatePages(context);
  const page = await context.newPage();
  return { page, errors: collectErrors(page) };
};

/** Waits until the page is translated and the application has started, because React then renders it again. */
const expectTranslated = async (page: Page): Promise<void> => {
  await expect(page.locator('main font').first()).toBeVisible();
  await page.waitForFunction(() => history.scrollRestoration === 'manual');
};

test('somebody who translates every page signs up, logs in, sells, and changes the settings', async ({
  browser,
  quad,
}) => {
  const { page, errors } = await openTranslatedPage(browser, quad);
  const email = createUniqueEmailAddress('yuki');
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });

  await test.step('sign-up', async () => {
    await page.goto('/signup');
    await expectTranslated(page);
    await field('Full name').fill('Yuki Tanaka');
    await field('Email').fill(email);
    await field('Password').fill(password);
    await field('Confirm password').fill('another-password');
    await page.getByRole('button', { name: 'Create Account' }).click();
    await field('Confirm password').fill(password);
    await page.getByRole('checkbox', { name: /Terms/ }).check();
    await page.getByRole('button', { name: 'Create Account' }).click();
    await page.getByLabel('Verification code').fill(await takeVerificationCode(quad.mail, email));
    await expect(page).toHaveURL(/\/profile-setup/);
    await page.getByRole('radio', { name: /Student/ }).check();
    await page.getByRole('button', { name: 'Complete Setup' }).click();
    await expect(page).toHaveURL(/\/profile$/);
  });

  await test.step('posting', async () => {
    await page.goto('/post-ad');
    await expectTranslated(page);
    await page.getByLabel('Title').fill('Rice cooker for two');
    await page.getByLabel('Category').selectOption('furniture');
    await page.getByRole('radio').nth(1).check();
    await page.getByRole('textbox', { name: 'Price' }).fill('25');
    await page.getByLabel('Description').fill('Cooks rice for two people in half an hour. Hardly used.');
    await page.getByLabel('Location').fill('Parkside North');
    await page.getByLabel('Contact email').fill(email);
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles([await createPhotoFile('cooker.jpg', { r: 200, g: 120, b: 60 })]);
    await expect(page.getByRole('img', { name: /^Preview of photo/ })).toBeVisible();
    await expect(page.getByRole('progressbar')).toHaveCount(0);
    await page.getByRole('button', { name: 'Post Ad' }).click();
    await expect(page).toHaveURL(/\/listing\/rice-cooker-for-two/);
  });

  await test.step('settings', async () => {
    await page.goto('/profile?tab=settings');
    await expectTranslated(page);
    for (const name of ['Reviews: Email', 'Messages: Email'])
      await page.getByRole('checkbox', { name, exact: true }).click();
    await expect(page.getByRole('checkbox', { name: 'Messages: Email', exact: true })).not.toBeChecked();
    await page.getByRole('button', { name: /Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await expect(page.getByRole('banner').getByRole('link', { name: 'Sign Up' })).toBeVisible();
  });

  await test.step('a wrong log-in, and then the right one', async () => {
    await page.goto('/login');
    await expectTranslated(page);
    await field('Email').fill(email);
    await field('Password').fill('not-the-password');
    await page.getByRole('button', { name: 'Log In', exact: true }).click();
    await expect(page.getByText('Invalid email or password').first()).toBeVisible();
    await field('Password').fill(password);
    await page.getByRole('button', { name: 'Log In', exact: true }).click();
    await expect(page).not.toHaveURL(/\/login/);
    await expect(page.getByRole('banner').getByRole('link', { name: 'Post Item' })).toBeVisible();
  });
  expect(errors).toEqual([]);
  await page.context().close();
});

test('two people who translate every page write to each other and make a deal', async ({ browser, quad }) => {
  const seller = await signUp(quad, 'Sofia Seller', createUniqueEmailAddress('sofia'));
  const buyer = await signUp(quad, 'Bao Buyer', createUniqueEmailAddress('bao'));
  const listing = await postListing(quad, seller, 'Kettle with thermometer', { price: 40 });
  const open = async (student: typeof seller) => {
    const context = await openSignedInBrowser(browser, quad, student, {});
    await translatePages(context);
    const page = await context.newPage();
    return { page, errors: collectErrors(page) };
  };
  const { page: sellerPage, errors: sellerErrors } = await open(seller);
  const { page: buyerPage, errors: buyerErrors } = await open(buyer);
  const getDeal = (page: Page) => page.getByRole('region', { name: 'Deal', exact: true });
  const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

  await buyerPage.goto(`/listing/${listing.slug}`);
  await expectTranslated(buyerPage);
  await click(buyerPage, 'Make an offer');
  await buyerPage.getByLabel('Your offer').fill('35');
  await click(buyerPage, 'Send offer');
  await expect(getDeal(buyerPage)).toContainText('You offer $35.');

  await sellerPage.goto('/messages');
  await expect(getDeal(sellerPage)).toContainText('Bao Buyer offers $35.');
  await click(sellerPage, 'Accept');
  await expect(getDeal(sellerPage)).toContainText('On hold for Bao Buyer: $35.');
  await expect(getDeal(buyerPage)).toContainText('On hold for you: $35.');

  for (const [page, text] of [
    [buyerPage, 'Is noon at the library fine?'],
    [sellerPage, 'Yes, see you there.'],
    [buyerPage, 'Great!'],
  ] as const) {
    await page.getByPlaceholder('Type your message...').fill(text);
    await page.keyboard.press('Enter');
    for (const reader of [sellerPage, buyerPage])
      await expect(
        reader.getByRole('region', { name: /^Messages with/ }).getByText(text, { exact: true }),
      ).toBeVisible();
  }
  expect([...sellerErrors, ...buyerErrors]).toEqual([]);
  await sellerPage.context().close();
  await buyerPage.context().close();
});

test('what somebody typed before the scripts ran stays when the page was translated before, too', async ({
  browser,
  quad,
}) => {
  const { page, errors } = await openTranslatedPage(browser, quad);
  const release = await holdScript(page, 'entry.client');
  await page.goto('/login', { waitUntil: 'domcontentloaded' });
  // The translation begins when the page has loaded, for which it waits.
  await page.evaluate(() => dispatchEvent(new Event('load')));
  await expect(page.locator('main font').first()).toBeVisible();
  const email = page.getByRole('textbox', { name: 'Email', exact: true });
  await email.fill('yuki@usc.edu');
  const replaced = await email.elementHandle();
  release();
  await expectTranslated(page);
  expect(await replaced?.evaluate((field) => field.isConnected)).toBe(false);
  await expect(email).toHaveValue('yuki@usc.edu');
  await expect(email).toBeFocused();
  await page.getByRole('button', { name: 'Log In', exact: true }).click();
  await expect(page.getByText('Please enter your password').first()).toBeVisible();
  await expect(email).toHaveValue('yuki@usc.edu');
  expect(errors).toEqual([]);
  await page.context().close();
});

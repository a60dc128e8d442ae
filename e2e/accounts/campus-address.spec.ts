import { expect, type Page } from '@playwright/test';
import { listViolations } from '../support/axe.ts';
import { createUniqueEmailAddress } from '../support/fixtures.ts';
import { takeVerificationCode } from '../support/mail-server.ts';
import { openSignedInBrowser, postListing, signUp } from '../support/students.ts';
import { intercept } from '../support/test.ts';
import { rateLimitedResponse, test } from './screen.ts';

const phoneBrowserOptions = {
  viewport: { width: 360, height: 740 },
  hasTouch: true,
  isMobile: true,
} as const;

const getCampusAddressSection = (page: Page) => page.getByRole('region', { name: 'Campus address' });

test('on a phone, somebody who signed up with a private address earns the badge with a campus address', async ({
  browser,
  quad,
}) => {
  const seller = await signUp(quad, 'Gina Gmail', createUniqueEmailAddress('gina', 'home.example'));
  const { slug } = await postListing(quad, seller, 'Desk lamp with a long arm');
  const campusAddress = createUniqueEmailAddress('gina');
  const context = await openSignedInBrowser(browser, quad, seller, phoneBrowserOptions);
  const page = await context.newPage();
  const visitors = await browser.newContext({ baseURL: quad.url, ...phoneBrowserOptions });
  const visitor = await visitors.newPage();
  const section = getCampusAddressSection(page);
  const address = section.getByRole('textbox', { name: 'USC email' });
  const code = section.getByLabel('Verification code');
  const badge = page.getByRole('main').getByText('Verified', { exact: true });

  const expectOnListingPage = async (text: string) => {
    await visitor.goto(`/listing/${slug}`);
    await expect(visitor.getByText(text, { exact: true })).toBeVisible();
  };

  await test.step('the section says what the address is for, and which ones it accepts', async () => {
    await expectOnListingPage('USC Community Member');
    await page.goto('/profile?tab=settings');
    await expect(section.getByText('Add your @usc.edu address to get the verified badge.')).toBeVisible();
    await expect(badge).toHaveCount(0);
    await address.fill('gina@home.example');
    await section.getByRole('button', { name: 'Send Code' }).tap();
    await expect(section.getByText('Only @usc.edu email addresses are allowed.')).toBeVisible();
    await expect(address).toBeFocused();
    await address.fill('gina');
    await expect(section.getByText('Please enter a valid email address.')).toBeVisible();
    expect(await listViolations(page)).toEqual([]);
  });

  await test.step('a failure keeps what was typed', async () => {
    await address.fill(campusAddress);
    await intercept(page, '**/rest/v1/me/campus-address', (route) => route.fulfill(rateLimitedResponse));
    await section.getByRole('button', { name: 'Send Code' }).tap();
    await expect(section.getByRole('alert')).toHaveText(rateLimitedResponse.json.error);
    await expect(address).toHaveValue(campusAddress);
    await page.unroute('**/rest/v1/me/campus-address');
  });

  let right = '';
  await test.step('the code is mailed to it, and a wrong one is refused', async () => {
    await section.getByRole('button', { name: 'Send Code' }).tap();
    await expect(code).toBeFocused();
    await expect(section.getByText(campusAddress)).toBeVisible();
    await expect(section.getByRole('button', { name: /^Resend code in \d+s$/ })).toBeDisabled();
    right = await takeVerificationCode(quad.mail, campusAddress);
    await code.fill(right === '000000' ? '111111' : '000000');
    await expect(section.getByText('Invalid or expired code.')).toBeVisible();
    expect(await listViolations(page)).toEqual([]);
    await expect(code).toHaveValue('');
  });

  await test.step('the code step survives a reload, and the address can be changed', async () => {
    await page.reload();
    await expect(section.getByText(campusAddress)).toBeVisible();
    // After a reload the code field must not have the focus, because a focused field opens a phone's
    // on-screen keyboard.
    await expect(code).not.toBeFocused();
    await expect(section.getByRole('button', { name: 'Resend code', exact: true })).toBeEnabled();
    await section.getByRole('button', { name: 'Use another address' }).tap();
    await expect(address).toHaveValue(campusAddress);
    await page.reload();
  });

  await test.step('the right code sets the badge everywhere', async () => {
    await code.fill(right);
    await expect(page.getByText('Your USC address is verified')).toBeVisible();
    await expect(section.getByText(campusAddress)).toBeVisible();
    await expect(badge).toHaveCount(2);
    await expect(page.getByRole('progressbar', { name: 'Profile completion' })).toHaveAttribute(
      'aria-valuenow',
      '60',
    );
    await expectOnListingPage('Verified USC Student');
    await expect(visitor.getByText(campusAddress)).toHaveCount(0);
  });

  await test.step('removing the address asks first, and takes the badge away', async () => {
    const remove = section.getByRole('button', { name: 'Remove' });
    const dialog = page.getByRole('dialog', { name: 'Remove your USC address?' });
    await remove.tap();
    await dialog.getByRole('button', { name: 'Cancel' }).tap();
    await expect(dialog).toHaveCount(0);
    await expect(section.getByText(campusAddress)).toBeVisible();
    await remove.tap();
    await intercept(page, '**/rest/v1/me/campus-address', (route) => route.abort());
    await dialog.getByRole('button', { name: 'Remove' }).tap();
    await expect(page.getByText('Service unavailable, please retry shortly.')).toBeVisible();
    await page.unroute('**/rest/v1/me/campus-address');
    await dialog.getByRole('button', { name: 'Remove' }).tap();
    await expect(address).toHaveValue('');
    await expect(badge).toHaveCount(0);
    await expectOnListingPage('USC Community Member');
  });

  await visitors.close();
  await context.close();
});

test('on a phone, a mistyped campus address can be canceled before its code is entered', async ({
  browser,
  quad,
}) => {
  const student = await signUp(quad, 'Gina Gmail', createUniqueEmailAddress('gina', 'home.example'));
  const context = await openSignedInBrowser(browser, quad, student, phoneBrowserOptions);
  const page = await context.newPage();
  await page.goto('/profile?tab=settings');
  const section = getCampusAddressSection(page);
  const address = section.getByRole('textbox', { name: 'USC email' });
  const cancel = section.getByRole('button', { name: 'Cancel' });
  await address.fill(createUniqueEmailAddress('gnia'));
  await section.getByRole('button', { name: 'Send Code' }).tap();
  await expect(section.getByText('It expires in 10 minutes.')).toBeVisible();
  await page.reload();
  await expect(section.getByText('It expires after 10 minutes.')).toBeVisible();
  await intercept(page, '**/rest/v1/me/campus-address', (route) => route.abort());
  await cancel.tap();
  await expect(page.getByText('Service unavailable, please retry shortly.')).toBeVisible();
  await page.unroute('**/rest/v1/me/campus-address');
  await cancel.tap();
  await expect(address).toHaveValue('');
  await page.reload();
  await expect(address).toHaveValue('');
  await context.close();
});

test('the sign-up form explains the verified badge, and people with a campus address already have the badge', async ({
  browser,
  quad,
}) => {
  const student = await signUp(quad, 'Carla Campus', createUniqueEmailAddress('carla'));
  const context = await openSignedInBrowser(browser, quad, student, phoneBrowserOptions);
  const page = await context.newPage();
  await page.goto('/profile?tab=settings');
  const section = getCampusAddressSection(page);
  await expect(
    section.getByText('You log in with your USC address, so there is nothing to add.'),
  ).toBeVisible();
  await expect(section.getByText('Verified', { exact: true })).toBeVisible();
  await expect(section.getByRole('textbox')).toHaveCount(0);
  await context.close();

  const visitor = await browser.newPage({ baseURL: quad.url, ...phoneBrowserOptions });
  await visitor.goto('/signup');
  await expect(visitor.getByRole('textbox', { name: 'Email', exact: true })).toHaveAccessibleDescription(
    'An @usc.edu address earns you the verified badge. You can also add one later in Settings.',
  );
  await visitor.close();
});

import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { TOTP } from 'otpauth';
import { updateTestDatabase } from '../support/database.ts';
import { createUniqueEmailAddress, test } from '../support/fixtures.ts';
import { defaultPassword } from '../support/sign-in.ts';
import { openSignedInBrowser, signUp } from '../support/students.ts';

const getCodeField = (page: Page) => page.getByLabel('Enter the 6-digit code from your authenticator app');

/**
 * Simulates an authenticator app. The returned function first returns the current code, and on later calls
 * the codes of the following time steps, because the server accepts each code only once.
 */
const createApp = (secret: string) => {
  const totp = new TOTP({ secret: secret.replace(/\s/g, '') });
  let stepsAhead = -1;
  return () => {
    stepsAhead += 1;
    return totp.generate({ timestamp: Date.now() + stepsAhead * 30_000 });
  };
};

const logIn = async (page: Page, email: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(email);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(defaultPassword);
  await page.getByRole('button', { name: 'Log In', exact: true }).click();
};

test('two-step verification: set up, log in with the app and with a recovery code, log out another device, turn off', async ({
  browser,
  quad,
}) => {
  const student = await signUp(quad, 'Tina Twostep', createUniqueEmailAddress('tina'));
  const context = await openSignedInBrowser(browser, quad, student);
  const page = await context.newPage();
  const section = page.getByRole('region', { name: 'Two-step verification' });
  const dialog = page.getByRole('dialog');
  let app = () => '';
  let recoveryCodes: string[] = [];

  await test.step('setting up asks for the password when the log-in was a while ago', async () => {
    await updateTestDatabase(
      quad,
      (sql) =>
        sql`UPDATE private.sessions SET created_at = created_at - interval '20 minutes' WHERE user_id = ${student.id}`,
    );
    await page.goto('/profile?tab=settings&page=security');
    await section.getByRole('button', { name: 'Set up' }).click();
    const password = dialog.getByRole('textbox', { name: 'Your password' });
    await password.fill('not-my-password-1');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await expect(dialog.getByText('This password is not right')).toBeVisible();
    await password.fill(defaultPassword);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await expect(dialog.getByAltText('QR code for your authenticator app')).toBeVisible();
  });

  await test.step('the first code of the app turns it on, and ten recovery codes can be downloaded', async () => {
    const secret = (await dialog.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent()) ?? '';
    app = createApp(secret);
    await getCodeField(page).fill(app());
    await expect(dialog.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible();
    recoveryCodes = await dialog
      .getByRole('list', { name: 'Recovery codes' })
      .getByRole('listitem')
      .allTextContents();
    expect(recoveryCodes).toHaveLength(10);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('quad-recovery-codes.txt');
    expect(await readFile(await file.path(), 'utf8')).toContain(recoveryCodes.join('\n'));
    await dialog.getByRole('button', { name: 'I saved them' }).click();
    await expect(section.getByText('10 of 10 recovery codes are left.')).toBeVisible();
  });

  const elsewhere = await browser.newContext({
    baseURL: quad.url,
    userAgent:
      'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  });
  const phone = await elsewhere.newPage();

  await test.step('a log-in on another device asks for the app, wherever the person goes', async () => {
    await phone.goto('/my-listings');
    await logIn(phone, student.email);
    await expect(phone.getByRole('heading', { name: 'Two-step verification' })).toBeVisible();
    await phone.goto('/my-listings');
    await expect(phone).toHaveURL(/\/login\?from=%2Fmy-listings$/);
    await getCodeField(phone).fill('000000');
    await expect(phone.getByText('This code is not right. Please try again.').first()).toBeVisible();
    await expect(getCodeField(phone)).toHaveValue('');
    await getCodeField(phone).fill(app());
    await expect(phone).toHaveURL(/\/my-listings$/);
  });

  await test.step('the settings list that device and log it out, which it notices within seconds', async () => {
    await page.reload();
    const list = page.getByRole('list', { name: 'Where you are logged in' });
    await expect(list.getByRole('listitem').first()).toContainText('This device');
    await list.getByRole('button', { name: 'Log out Chrome on Android' }).click();
    await dialog.getByRole('button', { name: 'Log out' }).click();
    await expect(list.getByText('Chrome on Android')).toHaveCount(0);
    await expect(phone).toHaveURL(/\/login/, { timeout: 5000 });
  });

  await test.step('a recovery code replaces the app, once', async () => {
    await logIn(phone, student.email);
    await phone.getByRole('button', { name: 'Use a recovery code' }).click();
    const field = phone.getByRole('textbox', { name: 'Recovery code' });
    await field.fill((recoveryCodes[0] ?? '').toUpperCase());
    await phone.getByRole('button', { name: 'Log In', exact: true }).click();
    await expect(phone).toHaveURL(/\/my-listings$/);
    await elsewhere.close();
  });

  await test.step('turning it off makes the password enough', async () => {
    await page.reload();
    await expect(section.getByText('9 of 10 recovery codes are left.')).toBeVisible();
    await section.getByRole('button', { name: 'Turn off' }).click();
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await expect(section.getByRole('button', { name: 'Set up' })).toBeVisible();
    await page.getByRole('button', { name: /account menu/i }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await page.getByRole('banner').getByRole('link', { name: 'Login' }).click();
    await logIn(page, student.email);
    await expect(page.getByRole('button', { name: /account menu/i })).toBeVisible();
  });
  await context.close();
});

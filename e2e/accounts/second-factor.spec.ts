import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { TOTP } from 'otpauth';
import { listViolations } from '../support/axe.ts';
import { updateTestDatabase } from '../support/database.ts';
import { createUniqueEmailAddress } from '../support/fixtures.ts';
import { takeVerificationCode } from '../support/mail-server.ts';
import { defaultPassword } from '../support/sign-in.ts';
import { openSignedInBrowser, signUp } from '../support/students.ts';
import { test } from './screen.ts';

const getSection = (page: Page) => page.getByRole('region', { name: 'Two-step verification' });
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

const logOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /account menu/i }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/$/);
};
const logIn = async (page: Page, email: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(email);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(defaultPassword);
  await page.getByRole('button', { name: 'Log In', exact: true }).click();
};

test('two-step verification: set up, log in with the app, with a recovery code, and turn off', async ({
  browser,
  quad,
}) => {
  const student = await signUp(quad, 'Tina Twostep', createUniqueEmailAddress('tina'));
  const context = await openSignedInBrowser(browser, quad, student, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  const section = getSection(page);
  const dialog = page.getByRole('dialog');
  let app = () => '';
  let recoveryCodes: string[] = [];

  await test.step('setting up asks for the password when the log-in was a while ago', async () => {
    await updateTestDatabase(
      quad,
      (sql) =>
        sql`UPDATE private.sessions SET created_at = created_at - interval '20 minutes' WHERE user_id = ${student.id}`,
    );
    await page.goto('/profile?tab=settings');
    await section.getByRole('button', { name: 'Set up' }).click();
    const password = dialog.getByRole('textbox', { name: 'Your password' });
    await expect(password).toBeFocused();
    await password.fill('not-my-password-1');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await expect(dialog.getByText('This password is not right')).toBeVisible();
    await password.fill(defaultPassword);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await expect(dialog.getByAltText('QR code for your authenticator app')).toBeVisible();
  });

  await test.step('the first code of the app turns it on', async () => {
    expect(await listViolations(page)).toEqual([]);
    const secret = (await dialog.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent()) ?? '';
    app = createApp(secret);
    await getCodeField(page).fill('000000');
    await expect(dialog.getByText('This code is not right. Please try again.')).toBeVisible();
    await getCodeField(page).fill(app());
    await expect(dialog.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible();
    expect(await listViolations(page)).toEqual([]);
  });

  await test.step('ten recovery codes are shown once, to copy and to download', async () => {
    recoveryCodes = await dialog
      .getByRole('list', { name: 'Recovery codes' })
      .getByRole('listitem')
      .allTextContents();
    expect(recoveryCodes).toHaveLength(10);
    await dialog.getByRole('button', { name: 'Copy' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(recoveryCodes.join('\n'));
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('quad-recovery-codes.txt');
    expect(await readFile(await file.path(), 'utf8')).toContain(recoveryCodes.join('\n'));
    await dialog.getByRole('button', { name: 'I saved them' }).click();
    await expect(section.getByText('10 of 10 recovery codes are left.')).toBeVisible();
  });

  await test.step('the next log-in asks for the app, wherever the person goes', async () => {
    await logOut(page);
    await page.goto('/my-listings');
    await logIn(page, student.email);
    await expect(page.getByRole('heading', { name: 'Two-step verification' })).toBeVisible();
    await expect(getCodeField(page)).toBeFocused();
    expect(await listViolations(page)).toEqual([]);
    await page.goto('/my-listings');
    await expect(page).toHaveURL(/\/login\?from=%2Fmy-listings$/);
    await getCodeField(page).fill(app());
    await expect(page).toHaveURL(/\/my-listings$/);
  });

  await test.step('wrong codes slow down, and a recovery code still works, once', async () => {
    await logOut(page);
    await page.goto('/login?from=%2Fmy-listings');
    await logIn(page, student.email);
    for (let tries = 0; tries < 5; tries += 1) {
      await getCodeField(page).fill('000000');
      await expect(page.getByText('This code is not right. Please try again.').first()).toBeVisible();
      await expect(getCodeField(page)).toHaveValue('');
    }
    await getCodeField(page).fill('000000');
    await expect(page.getByText('Too many wrong codes. Try again in 1 minute.').first()).toBeVisible();
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    const field = page.getByRole('textbox', { name: 'Recovery code' });
    await field.fill('guessed');
    await page.getByRole('button', { name: 'Log In', exact: true }).click();
    await expect(page.getByText('This code is not right. Please try again.').first()).toBeVisible();
    await field.fill((recoveryCodes[0] ?? '').toUpperCase());
    await page.getByRole('button', { name: 'Log In', exact: true }).click();
    await expect(page).toHaveURL(/\/my-listings$/);
  });

  await test.step('turning it off makes the password enough', async () => {
    await page.goto('/profile?tab=settings');
    await expect(section.getByText('9 of 10 recovery codes are left.')).toBeVisible();
    await section.getByRole('button', { name: 'Turn off' }).click();
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await expect(section.getByRole('button', { name: 'Set up' })).toBeVisible();
    await logOut(page);
    await page.goto('/login?from=%2Fmy-listings');
    await logIn(page, student.email);
    await expect(page).toHaveURL(/\/my-listings$/);
  });
  await context.close();
});

test('the second step of a log-in can be canceled, and an emailed code confirms new recovery codes', async ({
  browser,
  quad,
}) => {
  const student = await signUp(quad, 'Tom Twostep', createUniqueEmailAddress('tom'));
  const context = await openSignedInBrowser(browser, quad, student);
  const page = await context.newPage();
  const section = getSection(page);
  const dialog = page.getByRole('dialog');
  await page.goto('/profile?tab=settings');
  await section.getByRole('button', { name: 'Set up' }).click();
  const secret = (await dialog.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent()) ?? '';
  const app = createApp(secret);
  await getCodeField(page).fill(app());
  await dialog.getByRole('button', { name: 'I saved them' }).click();

  await updateTestDatabase(
    quad,
    (sql) =>
      sql`UPDATE private.sessions SET created_at = created_at - interval '20 minutes' WHERE user_id = ${student.id}`,
  );
  // Move the sign-up code into the past, because the server sends no second code within 30 seconds.
  await updateTestDatabase(
    quad,
    (sql) =>
      sql`UPDATE private.codes SET sent_at = sent_at - interval '1 minute' WHERE email = ${student.email}`,
  );
  await section.getByRole('button', { name: 'New recovery codes' }).click();
  await dialog.getByRole('button', { name: 'Create new codes' }).click();
  await dialog.getByRole('button', { name: 'Email me a code' }).click();
  await page.getByLabel('Verification code').fill(await takeVerificationCode(quad.mail, student.email));
  await expect(dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10);
  await dialog.getByRole('button', { name: 'I saved them' }).click();

  await logOut(page);
  await page.goto('/login');
  await logIn(page, student.email);
  await page.getByRole('button', { name: 'Back to Log In' }).click();
  await expect(page.getByRole('textbox', { name: 'Password', exact: true })).toBeVisible();
  await page.goto('/my-listings');
  await expect(page).toHaveURL(/\/login/);
  await context.close();
});

import { expect, type Page } from '@playwright/test';
import { TOTP } from 'otpauth';
import { updateTestDatabase } from '../support/database.ts';
import { createUniqueEmailAddress, test } from '../support/fixtures.ts';
import { defaultPassword } from '../support/sign-in.ts';
import { callApi, openSignedInBrowser, signUp } from '../support/students.ts';

/** Gives the browser a device with a fingerprint reader. `setPresence` decides whether somebody touches it at once. */
const addAuthenticator = async (page: Page) => {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    setPresence: (enabled: boolean) =>
      session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
  };
};

const logOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page.getByRole('button', { name: /^Account menu/ })).toHaveCount(0);
};

test('promise 107: a passkey is offered, logs in by button and by suggestion, and is removed', async ({
  browser,
  quad,
}) => {
  const { email } = await signUp(quad, 'Pia Passkey', createUniqueEmailAddress('pia'));
  const page = await (await browser.newContext({ baseURL: quad.url })).newPage();
  const authenticator = await addAuthenticator(page);
  await page.addInitScript(() => {
    const get = navigator.credentials.get.bind(navigator.credentials);
    navigator.credentials.get = (options) => {
      Object.assign(window, { hasAsked: true });
      return get(options);
    };
  });
  const accountMenu = page.getByRole('button', { name: 'Account menu of Pia Passkey' });

  await test.step('after a log-in by password, this browser offers a passkey', async () => {
    await page.goto('/login');
    await page.getByRole('textbox', { name: 'Email', exact: true }).fill(email);
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(defaultPassword);
    await page.getByRole('button', { name: 'Log In', exact: true }).click();
    await page.getByRole('button', { name: 'Add a passkey', exact: true }).click();
    await expect(page.getByText('Next time, log in with your passkey')).toBeVisible();
    await logOut(page);
  });

  await test.step('the button logs in', async () => {
    await authenticator.setPresence(false);
    await page.goto('/login?from=%2Fmy-listings');
    // The suggestions must have begun, because the authenticator answers each request at its beginning or never.
    await page.waitForFunction(() => 'hasAsked' in window);
    await authenticator.setPresence(true);
    await page.getByRole('button', { name: 'Log in with a passkey' }).click();
    await expect(page).toHaveURL(/\/my-listings$/);
    await expect(accountMenu).toBeVisible();
    await logOut(page);
  });

  await test.step('the suggestion of the email field logs in', async () => {
    await page.goto('/login?from=%2Fmy-listings');
    await expect(page).toHaveURL(/\/my-listings$/);
    await expect(accountMenu).toBeVisible();
  });

  await test.step('Settings removes it, after which it no longer logs in', async () => {
    await page.goto('/profile?tab=settings&page=security');
    const section = page.getByRole('region', { name: 'Passkeys' });
    await expect(section.getByText(/last used/)).toBeVisible();
    await section.getByRole('button', { name: 'Add a passkey' }).click();
    await expect(page.getByText('This device already has a passkey for your account.')).toBeVisible();
    await section.getByRole('button', { name: /^Remove/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByText('Passkey removed')).toBeVisible();
    await logOut(page);
    await page.goto('/login');
    await expect(
      page.getByText('This passkey belongs to no account here. Please log in another way.').first(),
    ).toBeVisible();
  });
});

test('a passkey shows that it is the person, and is the second step of a log-in by password', async ({
  browser,
  quad,
}) => {
  const student = await signUp(quad, 'Stella Second', createUniqueEmailAddress('stella'));
  const context = await openSignedInBrowser(browser, quad, student);
  const page = await context.newPage();
  const authenticator = await addAuthenticator(page);
  const section = page.getByRole('region', { name: 'Passkeys' });

  await test.step('it shows that it is the person when the log-in was a while ago', async () => {
    await page.goto('/profile?tab=settings&page=security');
    await section.getByRole('button', { name: 'Add a passkey' }).click();
    await expect(page.getByText('Passkey added')).toBeVisible();
    await updateTestDatabase(
      quad,
      (sql) =>
        sql`UPDATE private.sessions SET created_at = created_at - interval '20 minutes' WHERE user_id = ${student.id}`,
    );
    await section.getByRole('button', { name: /^Remove/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByRole('textbox', { name: 'Your password' })).toBeVisible();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(page.getByText('Passkey removed')).toBeVisible();
    await expect(section.getByRole('button', { name: /^Remove/ })).toHaveCount(0);
    await section.getByRole('button', { name: 'Add a passkey' }).click();
    await expect(section.getByRole('button', { name: /^Remove/ })).toBeVisible();
  });

  await test.step('the authenticator app is set up', async () => {
    const token: string = await page.evaluate(
      () => JSON.parse(localStorage.getItem('quad.session') ?? '').access_token,
    );
    const { id, totp } = await callApi<{ id: string; totp: { secret: string } }>(quad, '/auth/v1/factors', {
      token,
      body: { factor_type: 'totp' },
    });
    const challenge = await callApi<{ id: string }>(quad, `/auth/v1/factors/${id}/challenge`, {
      token,
      body: {},
    });
    const code = new TOTP({ secret: totp.secret }).generate();
    await callApi(quad, `/auth/v1/factors/${id}/verify`, {
      token,
      body: { challenge_id: challenge.id, code },
    });
  });

  await test.step('a log-in by password continues with the passkey', async () => {
    await page.evaluate(() => localStorage.removeItem('quad.session'));
    await authenticator.setPresence(false);
    await page.goto('/login?from=%2Fmy-listings');
    await page.getByRole('textbox', { name: 'Email', exact: true }).fill(student.email);
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(defaultPassword);
    await page.getByRole('button', { name: 'Log In', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Two-step verification' })).toBeVisible();
    await authenticator.setPresence(true);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(page).toHaveURL(/\/my-listings$/);
  });
  await context.close();
});

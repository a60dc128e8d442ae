import { expect, type Route } from '@playwright/test';
import { updateTestDatabase } from '../support/database.ts';
import { takeVerificationCode } from '../support/mail-server.ts';
import { createAccount, signUpWithoutConfirming } from '../support/sign-in.ts';
import { intercept } from '../support/test.ts';
import {
  commonPasswordSentence,
  rateLimitedResponse,
  test,
  toFunctionUrlPattern,
  tooManyRequestsSentence,
} from './screen.ts';

test('logging in explains failures, and then opens the page that required the log-in', async ({
  page,
  quad,
  account,
}) => {
  const { field, button, expectText, logIn } = account;
  await createAccount(quad, 'lea@usc.edu');
  await page.goto('/my-listings');
  await expect(page).toHaveURL(/\/login\?from=%2Fmy-listings$/);
  await button('Log In').click();
  await expectText('Please enter a valid email address.');
  await expectText('Please enter your password');
  await logIn('nobody@usc.edu');
  await expectText('No account found. Please sign up.');
  await logIn('lea@usc.edu', 'not-her-password-1');
  await expectText('Invalid email or password');

  const answers: [Parameters<Route['fulfill']>[0], string][] = [
    [rateLimitedResponse, tooManyRequestsSentence],
    [{ status: 400, json: { error: '', code: 'other' } }, 'Failed to log in. Please try again.'],
    [{ status: 400, json: { error: 'Not on Sundays', code: 'other' } }, 'Not on Sundays'],
    [{ json: {} }, 'Failed to create authentication session'],
    [{ status: 502, body: '<h1>Bad gateway</h1>' }, 'Service unavailable, please retry shortly.'],
  ];
  for (const [answer, sentence] of answers) {
    await intercept(page, toFunctionUrlPattern('login-password'), (route) => route.fulfill(answer));
    await button('Log In').click();
    await expectText(sentence);
    await expect(field('Email')).toHaveValue('lea@usc.edu');
    await expect(field('Password')).toHaveValue('not-her-password-1');
    await page.unroute(toFunctionUrlPattern('login-password'));
  }
  await logIn(' LEA@usc.edu ');
  await expect(page).toHaveURL(/\/my-listings$/);

  await test.step('until the screen that follows is there, a spinner stands in for it', async () => {
    let letThrough = () => {};
    const held = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    await intercept(page, /\/assets\/messages-[^/]*\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto('/login?from=%2Fmessages');
    await expect(page.getByRole('main').getByText('Loading…')).toBeAttached();
    letThrough();
    await expect(page).toHaveURL(/\/messages$/);
    await expect(page.getByText('No conversations yet')).toBeVisible();
  });

  await test.step('who is logged in sees no account form', async () => {
    await page.goto('/login');
    await expect(page).toHaveURL(/\/$/);
    await page.goto('/login?from=%2Fmessages');
    await expect(page).toHaveURL(/\/messages$/);
    await page.goto('/login?from=%2F%2Fevil.example');
    await expect(page).toHaveURL(new RegExp(`^${quad.url}/$`));
    await page.goto('/signup');
    await expect(page).toHaveURL(/\/profile-setup$/);
    await page.goto('/auth/callback');
    await expect(page).toHaveURL(/\/$/);
  });
});

test('logging in with an unconfirmed address asks for the emailed code, which completes the log-in', async ({
  page,
  quad,
  account,
}) => {
  const { button, expectText, code, logIn } = account;
  const mailed = await signUpWithoutConfirming(quad, 'late@usc.edu');
  await page.goto('/login');
  await logIn('late@usc.edu');
  await expectText('Please verify your email. Check your inbox for the verification code.');
  await code().fill(mailed);
  await expect(page).toHaveURL(/\/$/);
  await expect(button('Account menu of Sam Student')).toBeVisible();
});

test('promise 45: if someone else signed up with an address, its owner can log in by code and set a name and password', async ({
  page,
  quad,
  account,
}) => {
  const { field, button, expectText, code, logIn } = account;
  // The server sends no second code within 30 seconds after the sign-up, so the test logs in with the code
  // from the sign-up email.
  const mailed = await signUpWithoutConfirming(quad, 'prey@usc.edu');
  await intercept(page, toFunctionUrlPattern('send-otp'), (route) =>
    route.fulfill({ json: { success: true } }),
  );
  await page.goto('/login?from=%2Fmy-listings');
  await field('Email').fill('prey@usc.edu');
  await button('Email me a code').click();
  await code().fill(mailed);
  await expect(page).toHaveURL(/\/profile-setup\?from=%2Fmy-listings$/);
  await expect(field('Full name')).toHaveValue('');
  await expectText('Your account has no password yet. Set one here, or keep logging in with emailed codes.');

  await field('Full name').fill('Olive Owner');
  await page.getByRole('radio', { name: /Student/ }).check();
  await field('Password').fill('Password1');
  await button('Complete Setup').click();
  await expectText(commonPasswordSentence);
  await expect(field('Password')).toBeFocused();
  await field('Password').fill('an-owner-chose-this-1');
  await button('Complete Setup').click();
  await expectText('Profile created');
  await expect(page).toHaveURL(/\/my-listings$/);

  await button('Account menu of Olive Owner').click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(button('Account menu of Olive Owner')).toHaveCount(0);
  await page.goto('/login');
  await logIn('prey@usc.edu');
  await expectText('Invalid email or password');
  await logIn('prey@usc.edu', 'an-owner-chose-this-1');
  await expect(button('Account menu of Olive Owner')).toBeVisible();
});

test('promise 45: an account without a password logs in by code, and can set a password in Settings', async ({
  page,
  quad,
  account,
}) => {
  const { field, button, expectText, code } = account;
  const mailed = await signUpWithoutConfirming(quad, 'codes-only@usc.edu');
  await intercept(page, toFunctionUrlPattern('send-otp'), (route) =>
    route.fulfill({ json: { success: true } }),
  );
  await page.goto('/login');
  await field('Email').fill('codes-only@usc.edu');
  await button('Email me a code').click();
  await code().fill(mailed);
  await button('Skip for now').click();
  await expect(page).toHaveURL(/\/profile$/);
  await page.getByRole('tab', { name: 'Settings' }).click();
  await expectText(
    'Your account has no password yet: you log in with emailed codes. Your other devices are logged out when it changes.',
  );
  // Setting a password requires another code when the log-in was more than ten minutes ago.
  await page.unroute(toFunctionUrlPattern('send-otp'));
  await updateTestDatabase(quad, async (sql) => {
    await sql`UPDATE private.sessions SET created_at = created_at - interval '11 minutes'`;
    await sql`DELETE FROM private.codes WHERE email = 'codes-only@usc.edu'`;
  });
  await field('New password').fill('an-owner-chose-this-1');
  await field('Confirm new password').fill('an-owner-chose-this-1');
  await button('Set Password').click();
  await button('Email me a code').click();
  await code().fill(await takeVerificationCode(quad.mail, 'codes-only@usc.edu'));
  await expectText('Password updated successfully!');
  await expect(button('Change Password')).toBeVisible();
});

test('logging in by emailed code explains failures, and Back to Log In keeps the email address', async ({
  page,
  quad,
  account,
}) => {
  const { field, button, expectText, code } = account;
  await createAccount(quad, 'coda@usc.edu');
  await page.goto('/login');
  await button('Email me a code').click();
  await expectText('Please enter a valid email address.');
  await field('Email').fill('coda@usc.edu');
  await intercept(page, toFunctionUrlPattern('send-otp'), (route) => route.abort());
  await button('Email me a code').click();
  await expectText('Service unavailable, please retry shortly.');
  await page.unroute(toFunctionUrlPattern('send-otp'));
  // The sign-up sent a code less than 30 seconds ago, so no new code can be sent yet.
  await button('Email me a code').click();
  await expectText(tooManyRequestsSentence);
  await field('Email').fill('coda-2@usc.edu');
  await button('Email me a code').click();
  await expectText('Verification code sent to your email!');
  await code().fill('123456');
  await expectText('Invalid or expired code.');
  await button('Back to Log In').click();
  await expect(field('Email')).toHaveValue('coda-2@usc.edu');
});

test('the callback page waits for a session, and then opens the home page', async ({
  page,
  context,
  quad,
  account,
}) => {
  const { expectText } = account;
  const session = await createAccount(quad, 'call@usc.edu');
  await page.goto('/about');
  await page.goto('/auth/callback');
  await expectText('Completing sign in...');
  const other = await context.newPage();
  await other.goto('/about');
  await other.evaluate((stored) => localStorage.setItem('quad.session', stored), session);
  await expect(page).toHaveURL(/\/$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/about$/);
});

import { expect } from '@playwright/test';
import { takeVerificationCode } from '../support/mail-server.ts';
import { createAccount, defaultPassword } from '../support/sign-in.ts';
import { intercept } from '../support/test.ts';
import { commonPasswordSentence, test, toFunctionUrlPattern, tooManyRequestsSentence } from './screen.ts';

test('signing up reports every mistake, keeps the input, and leads to the profile', async ({
  page,
  quad,
  account,
}) => {
  const { field, button, expectText, code, fillSignUp } = account;
  await page.goto('/signup');
  await button('Create Account').click();
  await expectText('Please enter your full name');
  await expectText('Please enter a valid email address.');
  await expectText('Password must be at least 8 characters');
  await expectText('Please agree to the Terms and Privacy Policy');
  const main = page.getByRole('main');
  await expect(main.getByRole('link', { name: 'Terms of Service' })).toHaveAttribute('href', '/terms');
  await expect(main.getByRole('link', { name: 'Privacy Policy' })).toHaveAttribute('href', '/privacy');

  await fillSignUp('ada@usc.edu', 'abcdefgh');
  await expectText('Password must contain letters and numbers');
  await expectText('Password strength: Weak');
  await field('Password').fill(defaultPassword);
  await expectText('Password strength: Strong');
  await button('Create Account').click();
  await expectText('Passwords do not match');

  await fillSignUp('ada@usc.edu', 'Password1!');
  await expectText('Password strength: Weak');
  await button('Create Account').click();
  await expectText(commonPasswordSentence);
  await expect(field('Password')).toBeFocused();
  await expect(field('Password')).toHaveAttribute('aria-invalid', 'true');
  await expect(field('Email')).toHaveValue('ada@usc.edu');

  await field('Password').fill(defaultPassword);
  await field('Confirm password').fill(defaultPassword);
  for (const [name, sentence] of [
    ['Quad Support', 'Please use your own name: this one could be mistaken for Quad or USC staff'],
    ['Ada ✓', 'Full name cannot contain emojis or check marks'],
    ['\u200B\u202E', 'Please enter your full name'],
  ] as const) {
    await field('Full name').fill(name);
    await button('Create Account').click();
    await expectText(sentence);
    await expect(field('Full name')).toBeFocused();
  }

  // A phone may drop the tab while the person reads the email with the code.
  await field('Full name').fill('Ada Lovelace');
  await page.reload();
  await expect(field('Full name')).toHaveValue('Ada Lovelace');
  await expect(field('Email')).toHaveValue('ada@usc.edu');
  await expect(field('Password')).toHaveValue('');

  await fillSignUp(' ADA@usc.edu ');
  const password = field('Password');
  await expect(password).toHaveAttribute('type', 'password');
  await button('Show password').first().click();
  await expect(password).toHaveAttribute('type', 'text');
  await button('Hide password').click();
  await expect(password).toHaveAttribute('type', 'password');
  await button('Create Account').click();
  await expectText('Verification code sent to your email!');
  await code().fill(await takeVerificationCode(quad.mail, 'ada@usc.edu'));
  await expectText('Account verified successfully!');
  // A new account has no role yet, so the profile redirects to the profile set-up.
  await expect(page).toHaveURL(/\/profile-setup$/);
});

test('the six boxes accept typed, pasted and autofilled codes, and explain what is wrong with a code', async ({
  page,
  quad,
  account,
}) => {
  const { button, expectText, code, fillSignUp, expectSignUpKept } = account;
  await page.goto('/signup');
  await page.clock.install();
  await fillSignUp('boxes@usc.edu');
  await button('Create Account').click();
  await expect(code()).toBeFocused();
  await expect(code()).toHaveAttribute('autocomplete', 'one-time-code');
  await expect(code()).toHaveAttribute('inputmode', 'numeric');
  const right = await takeVerificationCode(quad.mail, 'boxes@usc.edu');
  const wrong = right === '000000' ? '111111' : '000000';

  await test.step('digits only, box after box, back with Backspace', async () => {
    await page.keyboard.type('1a2b');
    await expect(code()).toHaveValue('12');
    await page.keyboard.press('Backspace');
    await expect(code()).toHaveValue('1');
    await button('Verify').click();
    await expectText('Please enter all 6 digits');
    await expect(code()).toBeFocused();
  });

  await test.step('Back to Sign Up keeps the form and clears the code', async () => {
    await button('Back to Sign Up').click();
    await expectSignUpKept('boxes@usc.edu');
    await button('Create Account').click();
    await expect(code()).toHaveValue('');
  });

  await test.step('a failure keeps the code, a refusal clears it', async () => {
    await intercept(page, toFunctionUrlPattern('verify-otp'), (route) => route.abort());
    await code().fill(right);
    await expectText('Verification failed. Please try again.');
    await expect(code()).toHaveValue(right);
    await page.unroute(toFunctionUrlPattern('verify-otp'));
    await code().fill('');
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await page.evaluate(
        (text) => navigator.clipboard.writeText(text),
        ` ${wrong.slice(0, 3)}-${wrong.slice(3)}`,
      );
      const refused = page.waitForResponse(toFunctionUrlPattern('verify-otp'));
      await code().focus();
      await page.keyboard.press('ControlOrMeta+v');
      await refused;
      await expectText('Invalid or expired code.');
      await expect(code()).toHaveValue('');
    }
    await code().fill(right);
    await expectText('Too many attempts. Request a new code.');
    await expect(code()).toHaveValue('');
  });

  await test.step('a new code can be asked for after 30 seconds, each time', async () => {
    await expect(page.getByRole('button', { name: /^Resend code in \d+s$/ })).toBeDisabled();
    await page.clock.fastForward(30_000);
    await button('Resend code').click();
    await expectText(tooManyRequestsSentence);
    await intercept(page, toFunctionUrlPattern('send-verification-code'), (route) => route.abort());
    await button('Resend code').click();
    await expectText('Failed to resend code. Please try again.');
    await page.unroute(toFunctionUrlPattern('send-verification-code'));
    await intercept(page, toFunctionUrlPattern('send-verification-code'), (route) =>
      route.fulfill({ json: { success: true } }),
    );
    await button('Resend code').click();
    await expectText('New verification code sent!');
    await expect(page.getByRole('button', { name: /^Resend code in (30|29)s$/ })).toBeDisabled();
    await page.clock.fastForward(28_000);
    await expect(page.getByRole('button', { name: /^Resend code in/ })).toBeDisabled();
    await page.clock.fastForward(2_000);
    await expect(button('Resend code')).toBeEnabled();
  });
});

test('after five wrong codes, Back to Sign Up and Create Account send a new code', async ({
  page,
  quad,
  account,
}) => {
  const { button, expectText, code, fillSignUp } = account;
  await page.goto('/signup');
  await fillSignUp('five-wrong@usc.edu');
  await button('Create Account').click();
  const first = await takeVerificationCode(quad.mail, 'five-wrong@usc.edu');
  const wrong = first === '000000' ? '111111' : '000000';
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const refused = page.waitForResponse(toFunctionUrlPattern('verify-otp'));
    await code().fill(wrong);
    await refused;
    await expect(code()).toHaveValue('');
  }
  await code().fill(first);
  await expectText('Too many attempts. Request a new code.');
  await button('Back to Sign Up').click();
  await button('Create Account').click();
  await code().fill(await takeVerificationCode(quad.mail, 'five-wrong@usc.edu'));
  await expectText('Account verified successfully!');
});

test('signing up with the address of an existing account leads to the log-in page after 2 seconds', async ({
  page,
  quad,
  account,
}) => {
  const { field, button, code, expectText, stopClock, fillSignUp } = account;
  await createAccount(quad, 'taken@usc.edu');
  await page.clock.install();
  await page.goto('/signup?from=%2Fmy-listings');
  await fillSignUp('Taken@usc.edu');
  await stopClock();
  const submitTakenAddress = async () => {
    const answered = page.waitForResponse(toFunctionUrlPattern('signup'));
    await button('Create Account').click();
    await answered;
    await expect(button('Create Account')).not.toHaveAttribute('aria-busy', 'true');
    await page.clock.runFor(1900);
    await expect(page).toHaveURL(/\/signup/);
  };
  await submitTakenAddress();
  // Signing up with another address in the meantime cancels the redirect.
  await field('Email').fill('not-taken@usc.edu');
  await button('Create Account').click();
  await expect(code()).toBeVisible();
  await page.clock.runFor(2000);
  await expect(code()).toBeVisible();

  await button('Back to Sign Up').click();
  await field('Email').fill('taken@usc.edu');
  await submitTakenAddress();
  await page.clock.runFor(200);
  await expect(page).toHaveURL(/\/login\?from=%2Fmy-listings$/);
  await page.clock.resume();
  await expectText('Account already exists. Please log in.');
});

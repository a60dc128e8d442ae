import { expect } from '@playwright/test';
import { defaultPassword } from '../support/sign-in.ts';
import { intercept } from '../support/test.ts';
import { type AccountScreen, test, toFunctionUrlPattern } from './screen.ts';

interface FormCase {
  path: string;
  name: string;
  fill(account: AccountScreen): Promise<void>;
  expectKept(account: AccountScreen): Promise<void>;
  send: string;
  failure: string;
  unreachable?: string;
}

const formCases: FormCase[] = [
  {
    path: '/login',
    name: 'login-password',
    fill: async ({ field }) => {
      await field('Email').fill('kim@usc.edu');
      await field('Password').fill(defaultPassword);
    },
    expectKept: async ({ field }) => {
      await expect(field('Email')).toHaveValue('kim@usc.edu');
      await expect(field('Password')).toHaveValue(defaultPassword);
    },
    send: 'Log In',
    failure: 'Something went wrong. Please try again.',
    unreachable: 'Service unavailable, please retry shortly.',
  },
  {
    path: '/signup',
    name: 'signup',
    fill: ({ fillSignUp }) => fillSignUp('kim@usc.edu'),
    expectKept: ({ expectSignUpKept }) => expectSignUpKept('kim@usc.edu'),
    send: 'Create Account',
    failure: 'Failed to create account. Please try again.',
  },
  {
    path: '/forgot-password',
    name: 'forgot-password',
    fill: ({ field }) => field('Email').fill('kim@usc.edu'),
    expectKept: ({ field }) => expect(field('Email')).toHaveValue('kim@usc.edu'),
    send: 'Send Reset Link',
    failure: 'Failed to send reset email. Please try again.',
  },
  {
    path: '/reset-password/some-token',
    name: 'reset-password',
    fill: async ({ field }) => {
      await field('New password').fill(defaultPassword);
      await field('Confirm new password').fill(defaultPassword);
    },
    expectKept: async ({ field }) => {
      await expect(field('New password')).toHaveValue(defaultPassword);
      await expect(field('Confirm new password')).toHaveValue(defaultPassword);
    },
    send: 'Update Password',
    failure: 'Failed to reset password. Please try again.',
  },
];

for (const form of formCases) {
  test(`${form.path} keeps the input and shows an error while the server is unreachable, failing or slow`, async ({
    page,
    context,
    account,
  }) => {
    const { button } = account;
    const unreachable = form.unreachable ?? form.failure;
    await page.goto(form.path, { waitUntil: 'networkidle' });
    await form.fill(account);

    // The form must be able to show its error while the browser is offline and cannot load another script.
    await context.setOffline(true);
    await button(form.send).click();
    await expect(page.getByText(unreachable).last()).toBeVisible();
    await form.expectKept(account);
    await context.setOffline(false);
    await page.reload();
    await form.fill(account);

    const internal = { error: 'Something went wrong. Please try again.', code: 'internal' };
    for (const [status, json, sentence] of [
      [500, internal, form.failure],
      [503, { error: 'x', code: 'unavailable' }, unreachable],
    ] as const) {
      let answer: () => void = () => {};
      const slow = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await intercept(page, toFunctionUrlPattern(form.name), async (route) => {
        await slow;
        await route.fulfill({ status, json });
      });
      const asked = page.waitForRequest(toFunctionUrlPattern(form.name));
      await button(form.send).click();
      await asked;
      await expect(button(form.send)).toHaveAttribute('aria-disabled', 'true');
      await form.expectKept(account);
      answer();
      await expect(page.getByText(sentence).last()).toBeVisible();
      await expect(button(form.send)).not.toHaveAttribute('aria-disabled', 'true');
      await form.expectKept(account);
      await page.unroute(toFunctionUrlPattern(form.name));
    }
  });
}

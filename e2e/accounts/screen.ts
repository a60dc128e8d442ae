import { expect, type Locator, type Page } from '@playwright/test';
import { test as base } from '../support/fixtures.ts';
import { createAccount, defaultPassword, fillSignUp } from '../support/sign-in.ts';

export const tooManyRequestsSentence = 'Too many requests. Try again in a few minutes.';
export const rateLimitedResponse = {
  status: 429,
  json: { error: tooManyRequestsSentence, code: 'rate_limited' },
};
export const commonPasswordSentence = 'This password is too common and easy to guess';

/** Returns a Playwright URL pattern that matches an API call under /functions/v1. */
export const toFunctionUrlPattern = (name: string): string => `**/functions/v1/${name}`;

/** Page object of the account screens: finds, fills in and checks their fields and buttons. */
export interface AccountScreen {
  field(name: string): Locator;
  button(name: string): Locator;
  code(): Locator;
  expectText(text: string): Promise<void>;
  logIn(email: string, password?: string): Promise<void>;
  fillSignUp(email: string, password?: string): Promise<void>;
  expectSignUpKept(email: string): Promise<void>;
  /** Stops the clock of the page. Afterwards it advances only when the test calls methods of `page.clock`. */
  stopClock(): Promise<void>;
}

const createAccountScreen = (page: Page): AccountScreen => {
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  return {
    field,
    button,
    code: () => page.getByLabel('Verification code'),
    expectText: (text) => expect(page.getByText(text, { exact: true }).last()).toBeVisible(),
    logIn: async (email, password = defaultPassword) => {
      await field('Email').fill(email);
      await field('Password').fill(password);
      await button('Log In').click();
    },
    fillSignUp: (email, password) =>
      fillSignUp(page, { name: 'Ada Student', email, ...(password ? { password } : {}) }),
    expectSignUpKept: async (email) => {
      await expect(field('Full name')).toHaveValue('Ada Student');
      await expect(field('Email')).toHaveValue(email);
      await expect(field('Password')).toHaveValue(defaultPassword);
      await expect(field('Confirm password')).toHaveValue(defaultPassword);
      await expect(page.getByRole('checkbox', { name: /Terms/ })).toBeChecked();
    },
    stopClock: () => page.clock.pauseAt(Date.now() + 5_000),
  };
};

export const test = base.extend<{ account: AccountScreen; signIn(email: string): Promise<void> }>({
  permissions: ['clipboard-write'],
  account: ({ page }, use) => use(createAccountScreen(page)),
  signIn: ({ context, quad }, use) =>
    use(async (email) => {
      const session = await createAccount(quad, email);
      await context.addInitScript((stored) => {
        if (!sessionStorage.getItem('begun')) localStorage.setItem('quad.session', stored);
        sessionStorage.setItem('begun', 'yes');
      }, session);
    }),
});

import { expect, type Locator, type Page } from '@playwright/test';
import { test as base } from '../support/fixtures.ts';
import { fillSignUp, openAccount, ownPassword } from '../support/sign-in.ts';

export const tooManySentence = 'Too many requests. Try again in a few minutes.';
export const rateLimited = { status: 429, json: { error: tooManySentence, code: 'rate_limited' } };
export const tooCommonSentence = 'This password is too common and easy to guess';

/** Returns a Playwright URL pattern that matches an API call under /functions/v1. */
export const toFunctionUrl = (name: string): string => `**/functions/v1/${name}`;

/** Functions to fill in, press and check elements of the account screens. */
export interface Screen {
  field(name: string): Locator;
  button(name: string): Locator;
  code(): Locator;
  expectText(text: string): Promise<void>;
  logIn(email: string, password?: string): Promise<void>;
  fillSignUp(email: string, password?: string): Promise<void>;
  expectSignUpKept(email: string): Promise<void>;
  /** Stops the page's clock; from then on it advances only when the test calls `page.clock`. */
  stopClock(): Promise<void>;
}

const createScreen = (page: Page): Screen => {
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  return {
    field,
    button,
    code: () => page.getByLabel('Verification code'),
    expectText: (text) => expect(page.getByText(text, { exact: true }).last()).toBeVisible(),
    logIn: async (email, password = ownPassword) => {
      await field('Email').fill(email);
      await field('Password').fill(password);
      await button('Log In').click();
    },
    fillSignUp: (email, password) =>
      fillSignUp(page, { name: 'Ada Student', email, ...(password ? { password } : {}) }),
    expectSignUpKept: async (email) => {
      await expect(field('Full name')).toHaveValue('Ada Student');
      await expect(field('Email')).toHaveValue(email);
      await expect(field('Password')).toHaveValue(ownPassword);
      await expect(field('Confirm password')).toHaveValue(ownPassword);
      await expect(page.getByRole('checkbox', { name: /Terms/ })).toBeChecked();
    },
    stopClock: () => page.clock.pauseAt(Date.now() + 5_000),
  };
};

export const test = base.extend<{ account: Screen; signIn(email: string): Promise<void> }>({
  permissions: ['clipboard-write'],
  account: ({ page }, use) => use(createScreen(page)),
  signIn: ({ context, quad }, use) =>
    use(async (email) => {
      const session = await openAccount(quad, email);
      await context.addInitScript((stored) => {
        if (!sessionStorage.getItem('begun')) localStorage.setItem('quad.session', stored);
        sessionStorage.setItem('begun', 'yes');
      }, session);
    }),
});

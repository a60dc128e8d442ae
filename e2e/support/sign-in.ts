import type { Page } from '@playwright/test';
import { readCode } from './mail-server.ts';
import type { Quad } from './quad.ts';

const post = async (quad: Quad, path: string, body: object) => {
  const answer = await fetch(`${quad.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
};

export const ownPassword = 'cardinal-and-gold-1';

/** Signs up an account without confirming it; returns the emailed code. */
export const signUp = async (quad: Quad, email: string): Promise<string> => {
  await post(quad, '/functions/v1/signup', { email, password: ownPassword, fullName: 'Sam Student' });
  return readCode(await quad.mail.take(email));
};

/** Creates an account with `ownPassword`; returns its session as the browser stores it (JSON). */
export const openAccount = async (quad: Quad, email: string): Promise<string> => {
  const { authPassword } = await post(quad, '/functions/v1/verify-otp', {
    email,
    code: await signUp(quad, email),
    password: ownPassword,
  });
  return JSON.stringify(
    await post(quad, '/auth/v1/token?grant_type=password', { email, password: authPassword }),
  );
};

/** Logs in to the first demo account; returns the session as the browser stores it (JSON). */
export const logIn = async (quad: Quad): Promise<string> => {
  const [, password] = /with the password (\S+)/.exec(quad.output()) ?? [];
  const [, email] = /^\s+(demo\.\S+@\S+)/m.exec(quad.output()) ?? [];
  const { authPassword } = await post(quad, '/functions/v1/login-password', { email, password });
  return JSON.stringify(
    await post(quad, '/auth/v1/token?grant_type=password', { email, password: authPassword }),
  );
};

/** Fills in every field of the sign-up form. */
export const fillSignUp = async (
  page: Page,
  { name, email, password = ownPassword }: { name: string; email: string; password?: string },
): Promise<void> => {
  const field = (label: string) => page.getByRole('textbox', { name: label, exact: true });
  await field('Full name').fill(name);
  await field('Email').fill(email);
  await field('Password').fill(password);
  await field('Confirm password').fill(password);
  await page.getByRole('checkbox', { name: /Terms/ }).check();
};

/** Signs up on the screens, up to the start of the profile set-up. */
export const signUpOnScreen = async (
  page: Page,
  quad: Quad,
  person: { name: string; email: string },
): Promise<void> => {
  await page.goto('/signup');
  await fillSignUp(page, person);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await page.getByLabel('Verification code').fill(readCode(await quad.mail.take(person.email)));
  await page.waitForURL(/\/profile-setup/);
};

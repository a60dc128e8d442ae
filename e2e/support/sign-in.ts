import type { Page } from '@playwright/test';
import { takeVerificationCode } from './mail-server.ts';
import type { QuadServer } from './quad-server.ts';

const postJson = async (quad: QuadServer, path: string, body: object) => {
  const answer = await fetch(`${quad.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
};

export const defaultPassword = 'cardinal-and-gold-1';

/** Signs up an account without confirming it; returns the emailed code. */
export const signUpWithoutConfirming = async (quad: QuadServer, email: string): Promise<string> => {
  await postJson(quad, '/functions/v1/signup', { email, password: defaultPassword, fullName: 'Sam Student' });
  return takeVerificationCode(quad.mail, email);
};

const createSession = async (quad: QuadServer, email: string, authPassword: string): Promise<string> =>
  JSON.stringify(
    await postJson(quad, '/auth/v1/token?grant_type=password', { email, password: authPassword }),
  );

/**
 * Creates an account with `defaultPassword`; returns its session as the browser stores it (JSON).
 */
export const createAccount = async (quad: QuadServer, email: string): Promise<string> => {
  const { authPassword } = await postJson(quad, '/functions/v1/verify-otp', {
    email,
    code: await signUpWithoutConfirming(quad, email),
    password: defaultPassword,
  });
  return createSession(quad, email, authPassword);
};

/** Logs in to an account, by default with `defaultPassword`; returns the session as the browser stores it (JSON). */
export const logIn = async (quad: QuadServer, email: string, password = defaultPassword): Promise<string> => {
  const { authPassword } = await postJson(quad, '/functions/v1/login-password', { email, password });
  return createSession(quad, email, authPassword);
};

/** Logs in to a demo account, by default to the first one; returns the session as the browser stores it (JSON). */
export const logInToDemo = async (quad: QuadServer, account?: string): Promise<string> => {
  const [, password] = /with the password ([^\s"]+)/.exec(quad.output()) ?? [];
  const [, first = ''] = /"msg":"(demo\.\S+@\S+)/.exec(quad.output()) ?? [];
  return logIn(quad, account ?? first, password);
};

/** Fills in every field of the sign-up form. */
export const fillSignUp = async (
  page: Page,
  { name, email, password = defaultPassword }: { name: string; email: string; password?: string },
): Promise<void> => {
  const field = (label: string) => page.getByRole('textbox', { name: label, exact: true });
  await field('Full name').fill(name);
  await field('Email').fill(email);
  await field('Password').fill(password);
  await field('Confirm password').fill(password);
  await page.getByRole('checkbox', { name: /Terms/ }).check();
};

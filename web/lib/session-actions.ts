import type { AuthError } from '@supabase/auth-js';
import { lowerCaseAscii } from '#contract/accounts.ts';
import { calls } from '#contract/calls.ts';
import { defaultCampus } from '#contract/campus.ts';
import { errorSentence } from '#contract/errors.ts';
import { request } from './api.ts';
import { setOwnProfile } from './own-profile.ts';
import { accountClient, confirmSession } from './session.ts';

/** What went wrong: a sentence for the reader and a name for the screen. */
export interface ActionError {
  message: string;
  code: string;
  fields?: Record<string, string> | undefined;
}

/** Every action answers; none throws (§8). */
export interface ActionResult {
  error?: ActionError;
}

const noAuthPassword = 'Failed to create authentication session';

/** The account is verified and signed in, but goes without the password of the form. */
export const passwordNotSet = 'Your password could not be saved. Next time, log in with an emailed code.';

const unreachable: ActionError = {
  message: errorSentence('unavailable', defaultCampus),
  code: 'unavailable',
};

/** Any failure as the error object of an action; a transport failure surfaces as unavailability. */
export const actionError = (error: unknown): ActionError => {
  if (!(error instanceof Error)) return unreachable;
  const { code, fields, message } = error as Error & Partial<ActionError>;
  return typeof code === 'string' ? { message, code, fields } : { ...unreachable, message };
};

const attempt = async (act: () => Promise<void>): Promise<ActionResult> => {
  try {
    await act();
    return {};
  } catch (error) {
    return { error: actionError(error) };
  }
};

const orThrow = ({ error }: { error: AuthError | null }): void => {
  if (error) throw error;
};

/** Trades the credential of a log-in function for a session, by an ordinary password sign-in. */
const createSession = async (email: string, authPassword: string | undefined): Promise<void> => {
  if (!authPassword) throw Object.assign(new Error(noAuthPassword), { code: 'no_auth_password' });
  const client = await accountClient();
  orThrow(await client.signInWithPassword({ email, password: authPassword }));
};

const clean = (email: string): string => lowerCaseAscii(email.trim());

/** Accepted by the functions for the wire's sake (§7): the name of the page's host. */
const pageHost = (): string => window.location.hostname;

export const signupWithPassword = (form: {
  email: string;
  password: string;
  fullName: string;
}): Promise<ActionResult> =>
  attempt(async () => {
    await request(calls.signup, { body: { ...form, email: clean(form.email) } });
  });

const setPassword = async (password: string): Promise<void> => {
  const { error } = await (await accountClient()).updateUser({ password });
  if (error) throw Object.assign(new Error(passwordNotSet), { code: 'password_not_set' });
};

/** The sign-up itself stored the name already; one that cannot be written again is no reason to fail. */
const setFullName = async (full_name: string): Promise<void> => {
  try {
    setOwnProfile(await request(calls.updateMe, { body: { full_name } }));
  } catch {
    // The profile screens read what is stored.
  }
};

/** Asks for another code for a sign-up that waits for one. */
export const resendSignupOTP = (email: string): Promise<ActionResult> =>
  attempt(async () => {
    await request(calls.sendVerificationCode, { body: { email: clean(email) } });
  });

/** Confirms a sign-up by its code, opens the session and writes what only the form knows. */
export const verifySignupOTP = (form: {
  email: string;
  code: string;
  password?: string | undefined;
  fullName?: string | undefined;
}): Promise<ActionResult> =>
  attempt(async () => {
    const email = clean(form.email);
    const answer = await request(calls.verifyOtp, { body: { email, code: form.code, rememberMe: true } });
    await createSession(email, answer.authPassword);
    // The server keeps the password of a sign-up only in the browser that signed up. In any other one it is set
    // again by the form that knows it and whose code proved the address.
    if (answer.passwordNeeded && form.password) await setPassword(form.password);
    if (form.fullName) await setFullName(form.fullName);
  });

/** Asks for a code to log in with. */
export const sendOTP = (email: string): Promise<ActionResult> =>
  attempt(async () => {
    await request(calls.sendOtp, { body: { email: clean(email), ipAddress: pageHost() } });
  });

/** Logs in with a code; a password that was already entered is set where the account has none. */
export const verifyOTP = (form: {
  email: string;
  code: string;
  password?: string | undefined;
}): Promise<ActionResult> => verifySignupOTP(form);

export const loginWithPassword = (form: { email: string; password: string }): Promise<ActionResult> =>
  attempt(async () => {
    const email = clean(form.email);
    const answer = await request(calls.loginPassword, {
      body: { email, password: form.password, rememberMe: true },
    });
    await createSession(email, answer.authPassword);
  });

export const forgotPassword = (email: string): Promise<ActionResult> =>
  attempt(async () => {
    await request(calls.forgotPassword, { body: { email: clean(email), ipAddress: pageHost() } });
  });

export const resetPassword = (form: { token: string; password: string }): Promise<ActionResult> =>
  attempt(async () => {
    await request(calls.resetPassword, { body: form });
    // It ended every session of the account, which may be the one of this browser.
    await confirmSession();
  });

/**
 * Sets the password of whoever is signed in; their other sessions end. A session that began long ago is asked for the
 * present password first: code `reauthentication_needed`.
 */
export const changePassword = (form: {
  password: string;
  currentPassword?: string | undefined;
}): Promise<ActionResult> =>
  attempt(async () => {
    const { password, currentPassword: current_password } = form;
    const client = await accountClient();
    orThrow(await client.updateUser({ password, ...(current_password && { current_password }) }));
  });

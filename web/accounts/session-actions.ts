import type { AuthError } from '@supabase/auth-js';
import { lowerCaseAscii } from '#contract/accounts.ts';
import { calls } from '#contract/calls.ts';
import { defaultCampus } from '#contract/campus.ts';
import { errorSentence } from '#contract/errors.ts';
import { request } from '#web/lib/api.ts';
import { confirmSession, getAccountClient } from '#web/lib/session.ts';

/** A failed action: a message to display and an error code that screens check. */
export interface ActionError {
  message: string;
  code: string;
  fields?: Record<string, string> | undefined;
}

/** The result of an action; actions never throw (specification §8). */
export interface ActionResult {
  error?: ActionError;
}

const noAuthPasswordMessage = 'Failed to create authentication session';

/** The account is verified and signed in, but the form's password could not be set. */
export const passwordNotSetMessage =
  'Your password could not be saved. Next time, log in with an emailed code.';

const unavailableError: ActionError = {
  message: errorSentence('unavailable', defaultCampus),
  code: 'unavailable',
};

/** Converts anything thrown to an ActionError; transport failures get the code `unavailable`. */
export const toActionError = (error: unknown): ActionError => {
  if (!(error instanceof Error)) return unavailableError;
  const { code, fields, message } = error as Error & Partial<ActionError>;
  return typeof code === 'string' ? { message, code, fields } : { ...unavailableError, message };
};

const runAction = async (act: () => Promise<void>): Promise<ActionResult> => {
  try {
    await act();
    return {};
  } catch (error) {
    return { error: toActionError(error) };
  }
};

const throwAuthError = ({ error }: { error: AuthError | null }): void => {
  if (error) throw error;
};

/** Creates a session by signing in with the one-time password that a log-in function returned. */
const createSession = async (email: string, authPassword: string | undefined): Promise<void> => {
  if (!authPassword) throw Object.assign(new Error(noAuthPasswordMessage), { code: 'no_auth_password' });
  const client = await getAccountClient();
  throwAuthError(await client.signInWithPassword({ email, password: authPassword }));
};

const normalizeEmail = (email: string): string => lowerCaseAscii(email.trim());

/** Returns the page's host name, which some functions require in the field `ipAddress` (specification §7). */
const pageHostname = (): string => window.location.hostname;

export const signupWithPassword = (form: {
  email: string;
  password: string;
  fullName: string;
}): Promise<ActionResult> =>
  runAction(async () => {
    await request(calls.signup, { body: { ...form, email: normalizeEmail(form.email) } });
  });

const setPassword = async (password: string): Promise<void> => {
  const { error } = await (await getAccountClient()).updateUser({ password });
  if (error) throw Object.assign(new Error(passwordNotSetMessage), { code: 'password_not_set' });
};

/** Requests another code for a pending sign-up. */
export const resendSignupOTP = (email: string): Promise<ActionResult> =>
  runAction(async () => {
    await request(calls.sendVerificationCode, { body: { email: normalizeEmail(email) } });
  });

/**
 * Confirms a sign-up with its emailed code, creates the session, and sets the password if the server has not stored it.
 */
export const verifySignupOTP = (form: {
  email: string;
  code: string;
  password?: string | undefined;
}): Promise<ActionResult> =>
  runAction(async () => {
    const email = normalizeEmail(form.email);
    const response = await request(calls.verifyOtp, { body: { email, code: form.code, rememberMe: true } });
    await createSession(email, response.authPassword);
    // The server accepts a sign-up's password only from the browser that signed up. In another browser, the form that
    // knows the password sets it again after the code has proved ownership of the address.
    if (response.passwordNeeded && form.password) await setPassword(form.password);
  });

/** Requests a code to log in with. */
export const sendOTP = (email: string): Promise<ActionResult> =>
  runAction(async () => {
    await request(calls.sendOtp, { body: { email: normalizeEmail(email), ipAddress: pageHostname() } });
  });

/** Logs in with an emailed code. If the account has no password yet, sets the one that was entered before. */
export const verifyOTP = (form: {
  email: string;
  code: string;
  password?: string | undefined;
}): Promise<ActionResult> => verifySignupOTP(form);

export const loginWithPassword = (form: { email: string; password: string }): Promise<ActionResult> =>
  runAction(async () => {
    const email = normalizeEmail(form.email);
    const response = await request(calls.loginPassword, {
      body: { email, password: form.password, rememberMe: true },
    });
    await createSession(email, response.authPassword);
  });

export const forgotPassword = (email: string): Promise<ActionResult> =>
  runAction(async () => {
    await request(calls.forgotPassword, {
      body: { email: normalizeEmail(email), ipAddress: pageHostname() },
    });
  });

export const resetPassword = (form: { token: string; password: string }): Promise<ActionResult> =>
  runAction(async () => {
    await request(calls.resetPassword, { body: form });
    // The reset ended every session of the account, possibly including this browser's.
    await confirmSession();
  });

/**
 * Sets the signed-in person's password and ends their other sessions. An old session must provide the current password:
 * code `reauthentication_needed`.
 */
export const changePassword = (form: {
  password: string;
  currentPassword?: string | undefined;
}): Promise<ActionResult> =>
  runAction(async () => {
    const { password, currentPassword: current_password } = form;
    const client = await getAccountClient();
    throwAuthError(await client.updateUser({ password, ...(current_password && { current_password }) }));
  });

import { toAsciiLowerCase } from '#contract/accounts.ts';
import { calls } from '#contract/calls.ts';
import { defaultCampus } from '#contract/campus.ts';
import { formatErrorMessage } from '#contract/errors.ts';
import { request } from '#web/lib/api.ts';
import { checkSessionWithServer, getAuthClient } from '#web/lib/session.ts';

/** A failed action: a message to display and an error code that screens check. */
export interface ActionError {
  message: string;
  code: string;
  fields?: Record<string, string> | undefined;
  /** Number of seconds until another code can be requested. Until then, the code that was sent moments ago is valid. */
  resendAfter?: number | undefined;
}

/**
 * The result of a session action; `error` is missing on success. Actions never throw (specification
 * §8).
 */
export interface ActionResult {
  error?: ActionError;
}

const noAuthPasswordMessage = 'Failed to create authentication session';

/**
 * Displayed when the account is verified and signed in, but its new password could not be saved.
 */
export const passwordNotSetMessage =
  'Your password could not be saved. Next time, log in with an emailed code.';

const unavailableError: ActionError = {
  message: formatErrorMessage('unavailable', defaultCampus),
  code: 'unavailable',
};

/** Converts any thrown value into an ActionError; transport failures get the code `unavailable`. */
export const toActionError = (error: unknown): ActionError => {
  if (!(error instanceof Error)) return unavailableError;
  const { code, fields, message, resendAfter } = error as Error & Partial<ActionError>;
  return typeof code === 'string' ? { message, code, fields, resendAfter } : { ...unavailableError, message };
};

export const runAction = async (act: () => Promise<void>): Promise<ActionResult> => {
  try {
    await act();
    return {};
  } catch (error) {
    return { error: toActionError(error) };
  }
};

export const throwIfAuthError = ({ error }: { error: Error | null }): void => {
  if (error) throw error;
};

/** Creates a session with the one-time password that a login endpoint returned. */
export const createSession = async (email: string, authPassword: string | undefined): Promise<void> => {
  if (!authPassword) throw Object.assign(new Error(noAuthPasswordMessage), { code: 'no_auth_password' });
  const client = await getAuthClient();
  throwIfAuthError(await client.signInWithPassword({ email, password: authPassword }));
};

const normalizeEmail = (email: string): string => toAsciiLowerCase(email.trim());

/**
 * Returns the page's host name, which some endpoints require in the field `ipAddress`
 * (specification §7).
 */
const getPageHostname = (): string => window.location.hostname;

export const signupWithPassword = (form: {
  email: string;
  password: string;
  fullName: string;
}): Promise<ActionResult> =>
  runAction(async () => {
    await request(calls.signup, { body: { ...form, email: normalizeEmail(form.email) } });
  });

const setPassword = async (password: string): Promise<void> => {
  const { error } = await (await getAuthClient()).updateUser({ password });
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
    // If the code is entered in a different browser from the one that was used to sign up, the server
    // discards the password that was chosen at sign-up. It is safe to set the password now, because the code
    // has proved that this person owns the email address.
    if (response.passwordNeeded && form.password) await setPassword(form.password);
  });

/** Requests an email with a code for logging in. */
export const sendOTP = (email: string): Promise<ActionResult> =>
  runAction(async () => {
    await request(calls.sendOtp, { body: { email: normalizeEmail(email), ipAddress: getPageHostname() } });
  });

/** Logs in with an emailed code. If the account has no password yet, sets the given one. */
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

export const requestPasswordReset = (email: string): Promise<ActionResult> =>
  runAction(async () => {
    await request(calls.forgotPassword, {
      body: { email: normalizeEmail(email), ipAddress: getPageHostname() },
    });
  });

export const resetPassword = (form: {
  token: string;
  password: string;
  removePasskeys?: boolean;
}): Promise<ActionResult> =>
  runAction(async () => {
    await request(calls.resetPassword, { body: form });
    // Resetting the password ended all sessions of the account. If this browser was signed in,
    // remove its session too.
    await checkSessionWithServer();
  });

/**
 * Sets the signed-in person's password and ends their other sessions. If the log-in was more than ten
 * minutes ago, the current password is required; without it the error code is `reauthentication_needed`.
 */
export const changePassword = (form: {
  password: string;
  currentPassword?: string | undefined;
}): Promise<ActionResult> =>
  runAction(async () => {
    const { password, currentPassword: current_password } = form;
    const client = await getAuthClient();
    throwIfAuthError(await client.updateUser({ password, ...(current_password && { current_password }) }));
  });

import type { AuthError } from '@supabase/auth-js';
import { calls } from '#contract/calls.ts';
import { request } from '#web/lib/api.ts';
import { getAuthClient, signOutThisBrowser } from '#web/lib/session.ts';
import { type ActionError, type ActionResult, toActionError } from './session-actions.ts';

/** The outcome of an action: the value that the action returned, or the error with which it failed. */
export type ActionOutcome<Value> = { value: Value; error?: never } | { value?: never; error: ActionError };

const runForValue = async <Value>(act: () => Promise<Value>): Promise<ActionOutcome<Value>> => {
  try {
    return { value: await act() };
  } catch (error) {
    return { error: toActionError(error) };
  }
};

const unwrap = <Data>({ data, error }: { data: Data; error: AuthError | null }): NonNullable<Data> => {
  if (error) throw error;
  return data as NonNullable<Data>;
};

/** Removes this browser's session if the error of an action shows that the server has ended that session. */
const leaveEndedSession = async (outcome: ActionOutcome<unknown>): Promise<void> => {
  if (outcome.error?.code === 'session_not_found') await signOutThisBrowser();
};

const toResult = ({ error }: ActionOutcome<unknown>): ActionResult => (error ? { error } : {});

/** Completes a log-in with a code from the authenticator app. */
export const verifyAppCode = async (code: string): Promise<ActionResult> => {
  const outcome = await runForValue(async () => {
    const { mfa } = await getAuthClient();
    const [factor] = unwrap(await mfa.listFactors()).totp;
    if (factor) unwrap(await mfa.challengeAndVerify({ factorId: factor.id, code }));
  });
  await leaveEndedSession(outcome);
  return toResult(outcome);
};

export const verifyRecoveryCode = async (code: string): Promise<ActionResult> => {
  const outcome = await runForValue(async () => {
    const { mfa } = await getAuthClient();
    unwrap(await mfa.recoveryCodes.verify({ code }));
  });
  await leaveEndedSession(outcome);
  return toResult(outcome);
};

export interface TwoStepStatus {
  /** When the authenticator app was set up, or undefined if the account has none. */
  since: string | undefined;
  factorId: string | undefined;
  /** Number of unused recovery codes, or undefined if the account has no recovery codes. */
  remainingCodes: number | undefined;
}

/** Fetches the state of the account's two-step verification. Throws if a request fails. */
export const fetchTwoStepStatus = async (): Promise<TwoStepStatus> => {
  const { mfa } = await getAuthClient();
  const { totp, recovery_code: sets } = unwrap(await mfa.listFactors());
  const [factor] = totp;
  const hasCodes = factor !== undefined && sets.length > 0;
  return {
    since: factor?.updated_at,
    factorId: factor?.id,
    remainingCodes: hasCodes ? unwrap(await mfa.recoveryCodes.getStatus()).remaining : undefined,
  };
};

/** An authenticator app that is being set up. */
export interface AuthenticatorSetup {
  factorId: string;
  /** The QR code to scan with the app: an image as a data URL. */
  qrCode: string;
  secret: string;
}

/** Begins the set-up of an authenticator app. */
export const startAuthenticatorSetup = (): Promise<ActionOutcome<AuthenticatorSetup>> =>
  runForValue(async () => {
    const { mfa } = await getAuthClient();
    const { id, totp } = unwrap(await mfa.enroll({ factorType: 'totp' }));
    return { factorId: id, qrCode: totp.qr_code, secret: totp.secret };
  });

/** Completes the set-up of an authenticator app with the first code that the app shows. */
export const finishAuthenticatorSetup = (factorId: string, code: string): Promise<ActionOutcome<unknown>> =>
  runForValue(async () => unwrap(await (await getAuthClient()).mfa.challengeAndVerify({ factorId, code })));

/** Creates new recovery codes, which replace all earlier ones. */
export const createRecoveryCodes = (hasCodes: boolean): Promise<ActionOutcome<string[]>> =>
  runForValue(async () => {
    const { recoveryCodes } = (await getAuthClient()).mfa;
    return unwrap(hasCodes ? await recoveryCodes.regenerate() : await recoveryCodes.generate()).codes;
  });

export const turnOffTwoStepVerification = (factorId: string): Promise<ActionOutcome<unknown>> =>
  runForValue(async () => unwrap(await (await getAuthClient()).mfa.unenroll({ factorId })));

/** Confirms to the server, by password or emailed code, that the person owns the account. */
export const submitReauthentication = async (
  proof: { password: string } | { code: string },
): Promise<ActionResult> => toResult(await runForValue(() => request(calls.reauthenticate, { body: proof })));

/** Returns the message to display for a failed action. */
export const describeTwoStepFailure = ({ code, message }: ActionError): string =>
  code === 'internal' || message === '' ? 'Something went wrong. Please try again.' : message;

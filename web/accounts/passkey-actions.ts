import type { PasskeyListItem, Session } from '@supabase/auth-js';
import { errorCatalog } from '#contract/errors.ts';
import { createUnavailableError } from '#web/lib/api-error.ts';
import { getAuthClient } from '#web/lib/session.ts';
import { type ActionError, type ActionResult, throwIfAuthError, toActionError } from './session-actions.ts';

/** A passkey in the settings. */
export type Passkey = PasskeyListItem;

/** Timeout of the request that checks a passkey in an open session, in milliseconds. */
const proofTimeoutMs = 30_000;

/** The code of an action that was replaced with another one or ended with its screen; nobody is told. */
const replacedCode = 'passkey_replaced';

// Browsers tell what went wrong by these names (WebAuthn, sections 5.1.3 and 5.1.4). A canceled and a timed-out request have
// the same name, so that sites learn nothing about people.
const browserErrors: Record<string, ActionError> = {
  AbortError: { code: replacedCode, message: '' },
  NotAllowedError: {
    code: 'passkey_canceled',
    message: 'No passkey was used. You can try again at any time.',
  },
  InvalidStateError: {
    code: 'passkey_exists',
    message: 'This device already has a passkey for your account.',
  },
};
const unsupportedError: ActionError = {
  code: 'passkey_unsupported',
  message: 'This browser cannot use passkeys here.',
};
const unsupportedNames = ['NotSupportedError', 'SecurityError', 'ConstraintError', 'AuthUnknownError'];

const toPasskeyError = (error: unknown): ActionError => {
  const { name } = error as Error;
  if (unsupportedNames.includes(name)) return unsupportedError;
  if (name === 'AuthRetryableFetchError')
    return { code: 'unavailable', message: errorCatalog.unavailable.sentence };
  return browserErrors[name] ?? toActionError(error);
};

const run = async (act: () => Promise<void>): Promise<ActionResult> => {
  try {
    await act();
    return {};
  } catch (error) {
    return { error: toPasskeyError(error) };
  }
};

/** Returns whether a failed action needs no message. */
export const isReplaced = ({ code }: ActionError): boolean => code === replacedCode;

// A browser answers one request for a passkey at a time.
let current: AbortController | undefined;
const replaceCurrentRequest = (): AbortSignal => {
  current?.abort();
  current = new AbortController();
  return current.signal;
};
/** Ends a request that waits for the person. */
export const cancelPasskeyRequest = (): void => current?.abort();

/** Logs in with a passkey: of a list that the browser shows at once or, with `conditional`, among its suggestions. */
export const logInWithPasskey = (mediation?: 'conditional'): Promise<ActionResult> =>
  run(async () => {
    const client = await getAuthClient();
    const options = { signal: replaceCurrentRequest(), ...(mediation && { mediation }) };
    throwIfAuthError(await client.signInWithPasskey({ options }));
  });

/** Sends the response of a passkey for the session with this token. Returns the session that replaces it. */
const sendProof = async (token: string | undefined, body: object): Promise<Session> => {
  const response = await fetch('/auth/v1/passkeys/proof', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(proofTimeoutMs),
  }).catch(() => undefined);
  const answer = await response?.json().catch(() => undefined);
  if (!answer) throw createUnavailableError();
  if (!response?.ok) throw Object.assign(new Error(answer.message), { code: answer.code });
  return answer;
};

/**
 * Uses a passkey of the account in the open session: it completes a log-in that waits for the second step, and otherwise shows
 * that it is the person who has logged in. The official client has no method for this.
 */
export const proveWithPasskey = (): Promise<ActionResult> =>
  run(async () => {
    const client = await getAuthClient();
    const { data: started, error } = await client.passkey.startAuthentication();
    if (error) throw error;
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
      started.options as object as PublicKeyCredentialRequestOptionsJSON,
    );
    const credential = await navigator.credentials.get({ publicKey, signal: replaceCurrentRequest() });
    const { data } = await client.getSession();
    const session = await sendProof(data.session?.access_token, {
      challenge_id: started.challenge_id,
      credential: (credential as PublicKeyCredential).toJSON(),
    });
    throwIfAuthError(await client.setSession(session));
  });

/** Creates a passkey on this device, or on another one that the person chooses. */
export const addPasskey = (): Promise<ActionResult> =>
  run(async () => {
    const client = await getAuthClient();
    throwIfAuthError(await client.registerPasskey({ options: { signal: replaceCurrentRequest() } }));
  });

/** Lists the passkeys of the account. Throws if the request fails. */
export const fetchPasskeys = async (): Promise<Passkey[]> => {
  const { data, error } = await (await getAuthClient()).passkey.list();
  if (error) throw error;
  return data ?? [];
};

export const renamePasskey = (passkeyId: string, friendlyName: string): Promise<ActionResult> =>
  run(async () =>
    throwIfAuthError(await (await getAuthClient()).passkey.update({ passkeyId, friendlyName })),
  );

/** Removes a passkey, also if it was removed elsewhere already. */
export const removePasskey = (passkeyId: string): Promise<ActionResult> =>
  run(async () => {
    const { error } = await (await getAuthClient()).passkey.delete({ passkeyId });
    if (error && error.code !== 'webauthn_credential_not_found') throw error;
  });

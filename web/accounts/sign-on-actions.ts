import { calls } from '#contract/calls.ts';
import { request } from '#web/lib/api.ts';
import { getAuthClient } from '#web/lib/session.ts';
import { goToConnectSignOn } from '#web/lib/sign-on.ts';
import { type ActionResult, createSession, runAction, throwIfAuthError } from './session-actions.ts';

/** Leaves the page to connect the university's sign-on. */
export const connectSignOn = (from: string): Promise<ActionResult> =>
  runAction(() => goToConnectSignOn(from));

/** Starts the session with the code with which the browser came back. */
export const completeSignOn = (code: string): Promise<ActionResult> =>
  runAction(async () => throwIfAuthError(await (await getAuthClient()).exchangeCodeForSession(code)));

/** Where a code was mailed, and how many seconds to wait for another one if it was mailed a moment ago. */
export interface SentCode {
  email: string;
  resendAfter?: number | undefined;
}

/** Mails a code to the account that is not connected yet, and passes on where to. */
export const sendSignOnCode = (ticket: string, onSent: (code: SentCode) => void): Promise<ActionResult> =>
  runAction(async () => {
    const sent = await request(calls.sendSignOnCode, { body: { ticket } });
    onSent({ email: sent.email, resendAfter: sent.resend_after });
  });

export type AccountProof = { code: string } | { password: string } | { isNew: true };

/**
 * Connects the account with its password or code, or starts a new one, and logs in. Calls `onUnconnected` if Settings must connect
 * it.
 */
export const proveAccount = (
  ticket: string,
  proof: AccountProof,
  onUnconnected: () => void,
): Promise<ActionResult> =>
  runAction(async () => {
    const body = { ticket, ...proof };
    const { email, authPassword, isConnected } = await request(calls.connectSignOn, { body });
    await createSession(email, authPassword);
    if (!isConnected) onUnconnected();
  });

/** Disconnects the university's sign-on, and renews the session, which shows what is connected. */
export const disconnectSignOn = (): Promise<ActionResult> =>
  runAction(async () => {
    const client = await getAuthClient();
    const { data, error } = await client.getUserIdentities();
    if (error) throw error;
    const [identity] = data.identities;
    if (identity) throwIfAuthError(await client.unlinkIdentity(identity));
    throwIfAuthError(await client.refreshSession());
  });

import { createHash } from 'node:crypto';
import { z } from 'zod';
import { createProblem, Problem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { generateToken, hashToken } from '#server/platform/secrets.ts';
import type { LoginAttempt } from './login-throttle.ts';
import { reauthenticateBySignOn } from './reauthentication.ts';
import type { SessionTokens } from './sessions.ts';
import { connectSession, logInWithIdentity } from './sign-on-accounts.ts';
import { findFlow, insertFlow, takeFlow } from './sign-on-flow-repository.ts';
import {
  buildProviderUrl,
  type NativeTokens,
  type ProviderIdentity,
  providerIdentitySchema,
  readIdToken,
  receiveIdentity,
} from './sign-on-provider.ts';

// A log-in by the university's sign-on (decision 0097): the browser goes to the provider with a state, returns with the
// provider's code, and exchanges a code of ours for a session. Each of these tokens works once. The state belongs to the
// browser that began, by a cookie, and our code to the client that began, by PKCE, so nobody can be logged in to the account
// of somebody else.

const flowLifetimeSeconds = 600;
/** How long a person may take to prove that they own the account with their address. */
const proofLifetimeSeconds = 1800;

/** Throws sign_on_failed, after recording the reason in the audit trail. */
export const refuseSignOn = async (app: App, reason: string): Promise<never> => {
  await noteSecurityEvent(app, { event: 'sign_on_refused', detail: reason });
  throw createProblem('sign_on_failed');
};

/** What the database keeps of a flow beside who logged in at the provider. */
const flowPurposeSchema = z.object({
  /** Whether the log-in only proves that it is still the owner of the session. */
  isProof: z.boolean().default(false),
});

interface SignOnStart {
  /** Hash of the id in the browser's cookie. */
  browserHash: Buffer;
  /** The PKCE challenge of our client (S256). */
  codeChallenge: string;
  redirectTo: string;
  /** Whether the person has to enter their credentials even if they are logged in at the provider. */
  isProof?: boolean;
  /** The session whose account is to be connected or, with `isProof`, whose owner it must be. Undefined for a log-in. */
  sessionId?: string | undefined;
}

/** Begins a log-in and returns the provider's URL. Throws sign_on_unavailable when the provider cannot be reached. */
export const startSignOn = async (app: App, start: SignOnStart): Promise<string> => {
  const state = generateToken();
  const url = await buildProviderUrl(app, state, start.isProof ?? false);
  const flow = {
    browser_hash: start.browserHash,
    code_challenge: start.codeChallenge,
    redirect_to: start.redirectTo,
    session_id: start.sessionId ?? null,
    identity: { isProof: start.isProof ?? false },
  };
  await insertFlow(
    app.sql,
    hashToken(state),
    'started',
    flow,
    addSeconds(app.clock.now(), flowLifetimeSeconds),
  );
  return url;
};

/** Where to send the browser after the provider's response. */
export interface SignOnReturn {
  /** Undefined when the response belongs to no log-in of this browser. */
  redirectTo?: string | undefined;
  result: { code: string } | { problem: Problem };
}

/** Receives the provider's response, with which the browser came back. `url` is the URL of this request. */
export const finishSignOn = async (
  app: App,
  url: URL,
  browserHash: Buffer | undefined,
): Promise<SignOnReturn> => {
  const state = url.searchParams.get('state') ?? '';
  const flow = await takeFlow(app.sql, {
    tokenHash: hashToken(state),
    stage: 'started',
    now: app.clock.now(),
  });
  if (!flow?.browser_hash || !browserHash?.equals(flow.browser_hash)) {
    await noteSecurityEvent(app, {
      event: 'sign_on_refused',
      detail: flow ? 'other browser' : 'unknown state',
    });
    return { result: { problem: createProblem('sign_on_failed') } };
  }
  const redirectTo = flow.redirect_to ?? undefined;
  try {
    const identity = await receiveIdentity(app, url, state);
    const code = generateToken();
    const expiresAt = addSeconds(app.clock.now(), flowLifetimeSeconds);
    const { isProof } = flowPurposeSchema.parse(flow.identity ?? {});
    const returned = { ...flow, identity: { ...identity, isProof } };
    await insertFlow(app.sql, hashToken(code), 'returned', returned, expiresAt);
    return { redirectTo, result: { code } };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { redirectTo, result: { problem: error } };
  }
};

type Client = Omit<LoginAttempt, 'email'>;

/** Returns whether the person has to prove that they own an account that is not connected yet. */
const isProofNeeded = (error: unknown): boolean =>
  error instanceof Problem &&
  (error.code === 'account_proof_needed' || error.code === 'added_address_proof_needed');

/**
 * Exchanges a code of `finishSignOn` for a session, or for new tokens of the one that began. Throws account_proof_needed or
 * added_address_proof_needed when there is an account with the person's address that is not connected yet; the code can then be
 * used for `connectByProof`, and after the latter for `startNewAccount`. A proof throws sign_on_other_person or
 * sign_on_not_proved.
 */
export const exchangeSignOnCode = async (
  app: App,
  { code, verifier }: { code: string; verifier: string },
  client: Client,
): Promise<SessionTokens> => {
  await app.limits.consume('sign_on', { address: client.address });
  const tokenHash = hashToken(code);
  const flow = await takeFlow(app.sql, { tokenHash, stage: 'returned', now: app.clock.now() });
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  if (!flow || flow.code_challenge !== challenge)
    return refuseSignOn(app, flow ? 'wrong verifier' : 'unknown code');
  const identity = providerIdentitySchema.parse(flow.identity);
  if (flow.session_id !== null) {
    const { isProof } = flowPurposeSchema.parse(flow.identity);
    return (isProof ? reauthenticateBySignOn : connectSession)(app, flow.session_id, identity);
  }
  try {
    return await logInWithIdentity(app, identity, client);
  } catch (error) {
    if (isProofNeeded(error)) {
      const expiresAt = addSeconds(app.clock.now(), proofLifetimeSeconds);
      await insertFlow(app.sql, tokenHash, 'unproven', flow, expiresAt);
    }
    throw error;
  }
};

/**
 * Exchanges an ID token that a native client received from the provider for a session, once. Throws
 * account_not_connected when there is an account with the person's address that is not connected yet.
 */
export const exchangeIdToken = async (
  app: App,
  tokens: NativeTokens,
  client: Client,
): Promise<SessionTokens> => {
  await app.limits.consume('sign_on', { address: client.address });
  const identity = await readIdToken(app, tokens);
  const expiresAt = addSeconds(app.clock.now(), flowLifetimeSeconds * 2);
  // Without the signature, which can be written in several ways.
  const { idToken } = tokens;
  const signedPart = idToken.slice(0, idToken.lastIndexOf('.'));
  if (!(await insertFlow(app.sql, hashToken(signedPart), 'used', {}, expiresAt)))
    return refuseSignOn(app, 'replayed token');
  try {
    return await logInWithIdentity(app, identity, client);
  } catch (error) {
    // Only a browser can prove the account.
    if (isProofNeeded(error)) throw createProblem('account_not_connected');
    throw error;
  }
};

interface ProofTicket {
  ticket: string;
  browserHash: Buffer | undefined;
}

/** Returns the identity that waits for a proof. Throws sign_on_failed when there is none in this browser. */
export const getUnprovenIdentity = async (
  app: App,
  { ticket, browserHash }: ProofTicket,
): Promise<ProviderIdentity> => {
  const token = { tokenHash: hashToken(ticket), stage: 'unproven', now: app.clock.now() } as const;
  const flow = await findFlow(app.sql, token);
  if (!flow?.browser_hash || !browserHash?.equals(flow.browser_hash))
    return refuseSignOn(app, 'unknown code');
  return providerIdentitySchema.parse(flow.identity);
};

/** Ends a flow that waited for a proof. Returns false when it has ended already. */
export const endUnprovenFlow = async (app: App, ticket: string): Promise<boolean> => {
  const token = { tokenHash: hashToken(ticket), stage: 'unproven', now: app.clock.now() } as const;
  return (await takeFlow(app.sql, token)) !== undefined;
};

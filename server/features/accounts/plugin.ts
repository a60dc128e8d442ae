import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import type { App } from '#server/app.ts';
import { type PluginOptions, serveCall } from '#server/http/serve.ts';
import { declareScheduledJob } from '#server/platform/jobs.ts';
import { requestCode } from './code-mails.ts';
import { requireConsoleRole } from './console-access.ts';
import { registerGotrueRoutes } from './gotrue-routes.ts';
import { logInWithCode, logInWithPassword } from './log-in.ts';
import { registerMembershipRoutes } from './membership-routes.ts';
import { checkMemberships } from './memberships.ts';
import { requestResetLink, resetPassword } from './passwords.ts';
import { reauthenticate } from './reauthentication.ts';
import { forgetEndedSessions } from './session-authentication.ts';
import { endOwnSession, listOwnSessions } from './session-list.ts';
import { connectByProof, sendProofCode, startNewAccount } from './sign-on-proof.ts';
import { signUp } from './sign-up.ts';
import { readSigningKeys } from './signing-keys.ts';
import { liftEndedSuspensions } from './suspensions.ts';

const successResponse = { success: true } as const;

/** Registers the routes of the account functions (specification §7). */
const registerAccountRoutes = (server: FastifyInstance, app: App): void => {
  serveCall(server, app, calls.signup, async ({ body, address, device }) => {
    await signUp(app, body, { address, device });
    return successResponse;
  });
  serveCall(server, app, calls.sendVerificationCode, async ({ body: { email }, address, device }) => {
    await requestCode(app, { email, address, device });
    return successResponse;
  });
  serveCall(server, app, calls.sendOtp, async ({ body: { email }, address, device }) => {
    await requestCode(app, { email, address, device });
    return successResponse;
  });
  serveCall(server, app, calls.verifyOtp, ({ body, address, device }) =>
    logInWithCode(app, { email: body.email, address, device }, body),
  );
  serveCall(server, app, calls.loginPassword, ({ body: { email, password }, address, device }) =>
    logInWithPassword(app, { email, address, device }, password),
  );
  serveCall(server, app, calls.forgotPassword, async ({ body: { email }, address, device }) => {
    await requestResetLink(app, { email, address, device });
    return successResponse;
  });
  serveCall(server, app, calls.sendSignOnCode, ({ body, readSignOnBrowser, address, device }) =>
    sendProofCode(app, { ...body, browserHash: readSignOnBrowser() }, { address, device }),
  );
  serveCall(server, app, calls.connectSignOn, ({ body, readSignOnBrowser, address, device }) => {
    const { ticket, isNew, ...proof } = body;
    const proofTicket = { ticket, browserHash: readSignOnBrowser() };
    if (isNew) return startNewAccount(app, proofTicket, address);
    return connectByProof(app, proofTicket, { address, device }, proof);
  });
  serveCall(server, app, calls.resetPassword, async ({ body, address, device }) => {
    const { token, ...change } = body;
    await resetPassword(app, token, change, { address, device });
    return successResponse;
  });
};

/** Registers the call with which a signed-in person authenticates again. */
const registerReauthentication = (server: FastifyInstance, app: App): void =>
  serveCall(server, app, calls.reauthenticate, async ({ session, body, address, device }) => {
    await reauthenticate(app, session, { address, device }, body);
    return successResponse;
  });

/** Registers the calls with which a person sees and ends their sessions. */
const registerSessionList = (server: FastifyInstance, app: App): void => {
  serveCall(server, app, calls.listSessions, ({ session }) => listOwnSessions(app, session));
  serveCall(server, app, calls.endSession, async ({ session, params }) => {
    await endOwnSession(app, session, params.id);
    return successResponse;
  });
};

/** Registers the call with which the console finds out what the caller may do. */
const registerConsoleAccess = (server: FastifyInstance, app: App): void =>
  serveCall(server, app, calls.getConsoleAccess, async ({ session }) => ({
    role: await requireConsoleRole(app, session, 'moderator'),
  }));

/**
 * Registers the routes of accounts and sessions (the account functions, and the GoTrue API for the Supabase client),
 * the links that confirm memberships, and the jobs for memberships and suspensions.
 */
export const accountsPlugin = async (
  server: FastifyInstance,
  { app, addJobs }: PluginOptions,
): Promise<void> => {
  addJobs(
    declareScheduledJob('lift-suspensions', '* * * * *', () => liftEndedSuspensions(app)),
    declareScheduledJob('check-memberships', '47 * * * *', () => checkMemberships(app)),
  );

  registerAccountRoutes(server, app);
  registerReauthentication(server, app);
  registerSessionList(server, app);
  registerConsoleAccess(server, app);
  registerGotrueRoutes(server, app);
  await registerMembershipRoutes(server, app);

  const stopListening = forgetEndedSessions(app);
  server.addHook('onClose', async () => stopListening());
  // Read the signing keys now: if they are unreadable, the server must fail at startup, not at the
  // first log-in.
  await readSigningKeys(app);
};

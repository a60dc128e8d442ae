import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type HttpDeps, serveCall } from '#server/http/serve.ts';
import { declareScheduledJob, type JobCollector } from '#server/platform/jobs.ts';
import type { AccountServices } from './account-services.ts';
import { registerGotrueRoutes } from './gotrue-routes.ts';
import type { AccountModeration } from './moderation-service.ts';

const successResponse = { success: true } as const;

/** Registers the routes of the account functions (specification §7). */
const registerAccountRoutes = (
  server: FastifyInstance,
  http: HttpDeps,
  { accounts, passwords }: Pick<AccountServices, 'accounts' | 'passwords'>,
): void => {
  serveCall(server, http, calls.signup, async ({ body, address, device }) => {
    await accounts.signUp(body, { address, device });
    return successResponse;
  });
  serveCall(server, http, calls.sendVerificationCode, async ({ body: { email }, address, device }) => {
    await accounts.requestCode({ email, address, device });
    return successResponse;
  });
  serveCall(server, http, calls.sendOtp, async ({ body: { email }, address, device }) => {
    await accounts.requestCode({ email, address, device });
    return successResponse;
  });
  serveCall(server, http, calls.verifyOtp, ({ body, address, device }) =>
    accounts.logInWithCode({ email: body.email, address, device }, body),
  );
  serveCall(server, http, calls.loginPassword, ({ body: { email, password }, address, device }) =>
    accounts.logInWithPassword({ email, address, device }, password),
  );
  serveCall(server, http, calls.forgotPassword, async ({ body: { email }, address, device }) => {
    await passwords.requestReset({ email, address, device });
    return successResponse;
  });
  serveCall(server, http, calls.resetPassword, async ({ body, address, device }) => {
    await passwords.resetPassword(body.token, body.password, { address, device });
    return successResponse;
  });
};

/** Registers the call with which a signed-in person authenticates again. */
const registerReauthentication = (
  server: FastifyInstance,
  http: HttpDeps,
  { accounts, reauthentication }: Pick<AccountServices, 'accounts' | 'reauthentication'>,
): void =>
  serveCall(server, http, calls.reauthenticate, async ({ session, body, address, device }) => {
    await accounts.reauthenticate(session.userId, { address, device }, body);
    await reauthentication.record(session);
    return successResponse;
  });

/** Registers the calls with which a person sees and ends their sessions. */
const registerSessionList = (
  server: FastifyInstance,
  http: HttpDeps,
  { sessionList }: Pick<AccountServices, 'sessionList'>,
): void => {
  serveCall(server, http, calls.listSessions, ({ session }) => sessionList.list(session));
  serveCall(server, http, calls.endSession, async ({ session, params }) => {
    await sessionList.end(session, params.id);
    return successResponse;
  });
};

/** Registers the call with which the console finds out what the caller may do. */
const registerConsoleAccess = (server: FastifyInstance, http: HttpDeps): void =>
  serveCall(server, http, calls.getConsoleAccess, async ({ session }) => ({
    role: await http.requireConsoleRole(session, 'moderator'),
  }));

/**
 * Registers the routes of accounts and sessions (the account functions, and the GoTrue API for the Supabase client)
 * and the job that lifts suspensions.
 */
export const accountsPlugin = async (
  server: FastifyInstance,
  {
    http,
    addJobs,
    services,
    moderation,
  }: {
    http: HttpDeps;
    addJobs: JobCollector;
    services: AccountServices;
    moderation: Pick<AccountModeration, 'liftAllEnded'>;
  },
): Promise<void> => {
  addJobs(declareScheduledJob('lift-suspensions', '* * * * *', moderation.liftAllEnded));

  const { sessions, signingKeys } = services;
  registerAccountRoutes(server, http, services);
  registerReauthentication(server, http, services);
  registerSessionList(server, http, services);
  registerConsoleAccess(server, http);
  registerGotrueRoutes(server, { ...http, ...services });

  const stopListening = sessions.listen();
  server.addHook('onClose', async () => stopListening());
  // Read the signing keys now: if they are unreadable, the server must fail at startup, not at the
  // first log-in.
  await signingKeys.list();
};

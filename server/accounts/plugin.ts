import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type HttpDeps, serve } from '#server/http/serve.ts';
import type { AccountServices } from './account-services.ts';
import { registerGotrueRoutes } from './gotrue-routes.ts';

const done = { success: true } as const;

/** Registers the routes of the account functions (specification §7). */
const registerAccountRoutes = (
  app: FastifyInstance,
  http: HttpDeps,
  { accounts, passwords }: Pick<AccountServices, 'accounts' | 'passwords'>,
): void => {
  serve(app, http, calls.signup, async ({ body, address, device }) => {
    await accounts.signUp(body, { address, device });
    return done;
  });
  serve(app, http, calls.sendVerificationCode, async ({ body: { email }, address, device }) => {
    await accounts.requestCode({ email, address, device });
    return done;
  });
  serve(app, http, calls.sendOtp, async ({ body: { email }, address, device }) => {
    await accounts.requestCode({ email, address, device });
    return done;
  });
  serve(app, http, calls.verifyOtp, ({ body, address, device }) =>
    accounts.logInWithCode({ email: body.email, address, device }, body),
  );
  serve(app, http, calls.loginPassword, ({ body: { email, password }, address, device }) =>
    accounts.logInWithPassword({ email, address, device }, password),
  );
  serve(app, http, calls.forgotPassword, async ({ body: { email }, address, device }) => {
    await passwords.requestReset({ email, address, device });
    return done;
  });
  serve(app, http, calls.resetPassword, async ({ body, address, device }) => {
    await passwords.resetPassword(body.token, body.password, { address, device });
    return done;
  });
};

/** Registers accounts and sessions: the account functions, and the GoTrue API for the official client. */
export const accountsPlugin = async (
  app: FastifyInstance,
  { http, services }: { http: HttpDeps; services: AccountServices },
): Promise<void> => {
  const { sessions, signingKeys } = services;
  registerAccountRoutes(app, http, services);
  registerGotrueRoutes(app, { ...http, ...services });

  const stopListening = sessions.listen();
  app.addHook('onClose', async () => stopListening());
  // Unreadable signing keys make the start fail; otherwise the first log-in would fail.
  await signingKeys.list();
};

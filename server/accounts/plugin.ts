import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type HttpDeps, serve } from '#server/http/serve.ts';
import type { AccountServices } from './account-services.ts';
import { gotrueRoutes } from './gotrue-routes.ts';

const done = { success: true } as const;

/** Routes for the account functions (specification §7). */
const accountRoutes = (
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

/** Accounts and sessions: the account functions, and the GoTrue dialect for the official client. */
export const accountsPlugin = async (
  app: FastifyInstance,
  { http, services }: { http: HttpDeps; services: AccountServices },
): Promise<void> => {
  const { sessions, signingKeys } = services;
  accountRoutes(app, http, services);
  gotrueRoutes(app, { ...http, ...services });

  const stopListening = sessions.listen();
  app.addHook('onClose', async () => stopListening());
  // Unreadable keys end the start instead of failing the first log-in.
  await signingKeys.list();
};

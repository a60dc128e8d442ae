import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type HttpDeps, serve } from '#server/http/serve.ts';
import type { AccountServices } from './account-services.ts';

const done = { success: true } as const;

/** Routes for the account functions (specification §7). */
export const accountRoutes = (
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

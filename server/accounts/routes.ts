import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type HttpDeps, serve } from '#server/http/serve.ts';
import type { Accounts } from './service.ts';

const done = { success: true } as const;

/** The account functions of §7. */
export const accountRoutes = (app: FastifyInstance, http: HttpDeps, accounts: Accounts): void => {
  serve(app, http, calls.signup, async ({ body, device }) => {
    await accounts.signUp(body, device);
    return done;
  });
  serve(app, http, calls.sendVerificationCode, async ({ body }) => {
    await accounts.requestCode(body.email);
    return done;
  });
  serve(app, http, calls.sendOtp, async ({ body }) => {
    await accounts.requestCode(body.email);
    return done;
  });
  serve(app, http, calls.verifyOtp, ({ body, address, device }) =>
    accounts.logInWithCode({ email: body.email, address, device }, body),
  );
  serve(app, http, calls.loginPassword, ({ body, address, device }) =>
    accounts.logInWithPassword({ email: body.email, address, device }, body.password),
  );
  serve(app, http, calls.forgotPassword, async ({ body }) => {
    await accounts.requestReset(body.email);
    return done;
  });
  serve(app, http, calls.resetPassword, async ({ body, device }) => {
    await accounts.resetPassword(body.token, body.password, device);
    return done;
  });
};

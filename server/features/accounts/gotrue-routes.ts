import type { FastifyInstance } from 'fastify';
import { jwksCacheSeconds } from '#contract/accounts.ts';
import type { Campus } from '#contract/campus.ts';
import type { App } from '#server/app.ts';
import { toProblem } from '#server/http/error-replies.ts';
import { maxCredentialBodyBytes } from '#server/http/http-server-options.ts';
import { registerSecondFactorRoutes } from './gotrue-factors.ts';
import { createGotrueGuards } from './gotrue-guards.ts';
import { registerLogInRoutes } from './gotrue-log-in.ts';
import { registerPasskeyRoutes } from './gotrue-passkeys.ts';
import { sendGotrueErrorReply, sendGotrueProblem } from './gotrue-replies.ts';
import { registerSignOnRoutes } from './gotrue-sign-on.ts';
import { registerUserRoutes } from './gotrue-user.ts';
import { readSigningKeys } from './signing-keys.ts';

const installErrorHandlers = (scope: FastifyInstance, campus: Campus): void => {
  scope.setErrorHandler((error: unknown, request, reply) => {
    const refusal = toProblem(error);
    if (refusal.code === 'internal') request.log.error({ err: error }, 'request failed');
    return sendGotrueProblem(reply, refusal, campus);
  });
  scope.setNotFoundHandler((request, reply) => {
    const [, resource] = /^\/auth\/v1\/([\w.-]+)/.exec(request.url) ?? [];
    return sendGotrueErrorReply(
      reply,
      resource === 'admin'
        ? { status: 403, code: 'not_admin', message: 'Administration is not offered here' }
        : { status: 404, code: 'not_found', message: 'This is not offered here' },
    );
  });
};

/**
 * Registers the routes of /auth/v1, the part of the GoTrue API that the official `@supabase/auth-js` client needs:
 * signing up, requesting and verifying codes, exchanging and refreshing sessions, reading and changing the user,
 * signing out, second factors, passkeys, the university's sign-on, and the public keys.
 */
export const registerGotrueRoutes = (server: FastifyInstance, app: App): void => {
  const routes = async (scope: FastifyInstance) => {
    installErrorHandlers(scope, app.config.campus);
    scope.addHook('onRoute', (route) => {
      route.bodyLimit = maxCredentialBodyBytes;
    });
    const guards = createGotrueGuards(app);
    registerLogInRoutes(scope, app);
    registerUserRoutes(scope, app, guards);
    await scope.register(async (signOn) => registerSignOnRoutes(signOn, app, guards));
    await scope.register(async (factors) => registerSecondFactorRoutes(factors, app, guards));
    await scope.register(async (passkeys) => registerPasskeyRoutes(passkeys, app, guards));
    scope.get(
      '/.well-known/jwks.json',
      { config: { description: { summary: 'The keys that verify access tokens.', access: 'anyone' } } },
      async (_request, reply) => {
        const { publicKeys } = await readSigningKeys(app);
        reply.header('cache-control', `public, max-age=${jwksCacheSeconds}`);
        return publicKeys;
      },
    );
  };
  server.register(routes, { prefix: '/auth/v1' });
};

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  accountErrorMessages,
  emailSchema,
  jwksCacheSeconds,
  newPasswordSchema,
  oneTimeCodeSchema,
} from '#contract/accounts.ts';
import type { Campus } from '#contract/campus.ts';
import { createFieldProblem, createProblem } from '#contract/errors.ts';
import { createFullNameSchema } from '#contract/names.ts';
import { readRequestDevice } from '#server/http/device-cookie.ts';
import { toProblem } from '#server/http/error-replies.ts';
import { maxCredentialBodyBytes } from '#server/http/http-server-options.ts';
import { type HttpDeps, parseRequestPart, readBearerToken } from '#server/http/serve.ts';
import type { Session } from '#server/platform/process/request-context.ts';
import type { AccountServices } from './account-services.ts';
import { registerSecondFactorRoutes } from './gotrue-factors.ts';
import {
  presentGotrueSession,
  presentGotrueUser,
  sendGotrueErrorReply,
  sendGotrueProblem,
} from './gotrue-replies.ts';
import type { SessionWithSecondFactorState } from './session-authentication.ts';

const userDataSchema = (campus: Campus) =>
  z.object({ full_name: createFullNameSchema(campus).optional() }).nullish();
const passwordGrantSchema = z.object({
  email: emailSchema,
  password: z
    .string({ error: accountErrorMessages.passwordMissing })
    .min(1, accountErrorMessages.passwordMissing)
    .max(1000),
});
const refreshGrantSchema = z.object({ refresh_token: z.string().min(1).max(200) });
const emailBodySchema = z.object({ email: emailSchema });
const emailCodeTypes = ['signup', 'email', 'magiclink'] as const;
const verifyBodySchema = z.object({
  email: emailSchema,
  token: oneTimeCodeSchema,
  password: z.string().max(1000).optional(),
  type: z.enum(emailCodeTypes, { error: 'Only codes sent by email can be verified here' }),
});
const resendSchema = z.object({
  email: emailSchema,
  type: z.literal('signup', { error: 'Only sign-up codes can be sent again here' }),
});
const userChangeSchema = z.object({
  email: z.undefined({ error: 'The email address of an account cannot be changed' }).optional(),
  phone: z.undefined({ error: 'Phone numbers are not offered here' }).optional(),
  password: newPasswordSchema.optional(),
  current_password: z.string().max(1000).optional(),
});
const logOutScopes = ['global', 'local', 'others'] as const;

type GotrueDeps = HttpDeps &
  Pick<AccountServices, 'accounts' | 'passwords' | 'sessions' | 'tokens' | 'secondFactors' | 'recoveryCodes'>;

const sendGotrueError = (reply: FastifyReply, status: number, code: string, message: string) =>
  sendGotrueErrorReply(reply, { status, code, message });

const installErrorHandlers = (scope: FastifyInstance, campus: Campus): void => {
  scope.setErrorHandler((error: unknown, request, reply) => {
    const refusal = toProblem(error);
    if (refusal.code === 'internal') request.log.error({ err: error }, 'request failed');
    return sendGotrueProblem(reply, refusal, campus);
  });
  scope.setNotFoundHandler((request, reply) => {
    const [, resource] = /^\/auth\/v1\/([\w.-]+)/.exec(request.url) ?? [];
    if (resource === 'admin')
      return sendGotrueError(reply, 403, 'not_admin', 'Administration is not offered here');
    return sendGotrueError(reply, 404, 'not_found', 'This is not offered here');
  });
};

/**
 * Registers the routes of /auth/v1, the part of the GoTrue API that the official `@supabase/auth-js` client needs:
 * signing up, requesting and verifying codes, exchanging and refreshing sessions, reading and changing the user,
 * signing out, and the public keys.
 */
export const registerGotrueRoutes = (server: FastifyInstance, deps: GotrueDeps): void => {
  const { accounts, passwords, sessions, tokens, rateLimits, campus, publicUrl } = deps;
  const data = userDataSchema(campus);
  const signUpSchema = z.object({ email: emailSchema, password: newPasswordSchema, data });
  const updateSchema = userChangeSchema.extend({ data });

  const countWrite = ({ ip: address, session }: FastifyRequest): Promise<void> =>
    rateLimits.consume('write', { address, userId: session?.userId });
  const toClient = (request: FastifyRequest, reply: FastifyReply) => ({
    address: request.ip,
    device: readRequestDevice(request, reply, publicUrl),
  });
  /**
   * Counts a token request toward the limit of the account that the sent credential belongs to, if that account is
   * known, so that people who share a client address do not use up each other's limit.
   */
  const countExchange = ({ ip: address }: FastifyRequest, owner: string | undefined) =>
    rateLimits.consume('token', { address, userId: owner });
  /** Returns the session of a request, even while it awaits the second-factor check. */
  const requireAnySession = async (request: FastifyRequest): Promise<SessionWithSecondFactorState> => {
    if (!request.headers.authorization) throw createProblem('no_authorization');
    const token = readBearerToken(request);
    const session = token === undefined ? undefined : await sessions.authenticateWithSecondFactorState(token);
    if (!session) throw createProblem('not_authenticated');
    request.session = session;
    return session;
  };
  const requireFullSession = async (request: FastifyRequest): Promise<Session> => {
    const session = await requireAnySession(request);
    if (session.awaitsSecondFactor) throw createProblem('second_factor_required');
    return session;
  };

  const routes = async (scope: FastifyInstance) => {
    installErrorHandlers(scope, campus);
    scope.addHook('onRoute', (route) => {
      route.bodyLimit = maxCredentialBodyBytes;
    });

    scope.post('/signup', async (request, reply) => {
      const sent = (request.body ?? {}) as Record<string, unknown>;
      if (!sent.email || !sent.password)
        throw createFieldProblem({ email: accountErrorMessages.credentialsMissing });
      const body = parseRequestPart(signUpSchema, sent);
      const fullName = body.data?.full_name ?? null;
      await accounts.signUp({ ...body, fullName }, toClient(request, reply));
      const account = await accounts.getAccountByEmail(body.email);
      return reply.send(presentGotrueUser(account, { awaitsSecondFactor: false }));
    });

    scope.post('/token', async (request, reply) => {
      const { grant_type: grantType } = request.query as { grant_type?: string };
      reply.header('cache-control', 'no-store');
      if (grantType === 'password') {
        const { email, password } = parseRequestPart(passwordGrantSchema, request.body);
        await countExchange(request, await accounts.findAuthPasswordOwner(password));
        const { device } = toClient(request, reply);
        return presentGotrueSession(await accounts.beginWithAuthPassword({ email, device }, password));
      }
      if (grantType === 'refresh_token') {
        const { refresh_token } = parseRequestPart(refreshGrantSchema, request.body);
        await countExchange(request, await sessions.findOwner(refresh_token));
        return presentGotrueSession(await sessions.refresh(refresh_token));
      }
      return sendGotrueError(reply, 400, 'provider_disabled', 'This way of signing in is not offered here');
    });

    scope.post('/otp', async (request, reply) => {
      const { email } = parseRequestPart(emailBodySchema, request.body);
      await accounts.requestCode({ email, ...toClient(request, reply) });
      return {};
    });

    scope.post('/resend', async (request, reply) => {
      const { email } = parseRequestPart(resendSchema, request.body);
      await accounts.requestCode({ email, ...toClient(request, reply) });
      return {};
    });

    scope.post('/verify', async (request, reply) => {
      const { email, token: code, password } = parseRequestPart(verifyBodySchema, request.body);
      reply.header('cache-control', 'no-store');
      const attempt = { email, ...toClient(request, reply) };
      return presentGotrueSession(await accounts.beginWithCode(attempt, { code, password }));
    });

    scope.post('/recover', async (request, reply) => {
      const { email } = parseRequestPart(emailBodySchema, request.body);
      await passwords.requestReset({ email, ...toClient(request, reply) });
      return {};
    });

    // A session that awaits the second-factor check may read its user, because the Supabase client learns from this
    // response which second factors the account has.
    scope.get('/user', async (request, reply) => {
      const session = await requireAnySession(request);
      reply.header('cache-control', 'no-store');
      return presentGotrueUser(await accounts.getAccount(session.userId), session);
    });

    scope.put('/user', async (request, reply) => {
      const owner = await requireFullSession(request);
      await countWrite(request);
      const change = parseRequestPart(updateSchema, request.body);
      if (change.password !== undefined) {
        const { password, current_password: currentPassword } = change;
        await passwords.changePassword(
          { ...owner, device: toClient(request, reply).device },
          { password, currentPassword },
        );
      }
      if (change.data?.full_name !== undefined) await accounts.rename(owner.userId, change.data.full_name);
      reply.header('cache-control', 'no-store');
      return presentGotrueUser(await accounts.getAccount(owner.userId), { awaitsSecondFactor: false });
    });

    scope.post('/logout', async (request, reply) => {
      const { scope: asked = 'global' } = request.query as { scope?: string };
      const owner = await requireAnySession(request);
      const known = logOutScopes.find((name) => name === asked);
      // A session that awaits the second-factor check can only end itself, not the other sessions.
      const chosen = known && owner.awaitsSecondFactor ? 'local' : known;
      if (!chosen) throw createFieldProblem({ scope: 'Unknown scope' });
      if (chosen === 'local') await sessions.end(owner);
      if (chosen === 'global') await sessions.endAll(owner.userId);
      if (chosen === 'others') await sessions.endAll(owner.userId, owner.sessionId);
      return reply.code(204).send();
    });

    await scope.register(async (factors) =>
      registerSecondFactorRoutes(factors, { ...deps, requireFullSession, requireAnySession, countWrite }),
    );

    scope.get('/.well-known/jwks.json', async (_request, reply) => {
      const keySet = await tokens.readKeySet();
      reply.header('cache-control', `public, max-age=${jwksCacheSeconds}`);
      return keySet;
    });
  };
  server.register(routes, { prefix: '/auth/v1' });
};

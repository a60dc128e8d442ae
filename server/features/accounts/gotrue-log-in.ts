import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  accountErrorMessages,
  emailSchema,
  newPasswordSchema,
  oneTimeCodeSchema,
} from '#contract/accounts.ts';
import { createFieldProblem } from '#contract/errors.ts';
import { getFullNameSchema } from '#contract/names.ts';
import type { App } from '#server/app.ts';
import { readRequestDevice } from '#server/http/device-cookie.ts';
import { parseRequestPart } from '#server/http/serve.ts';
import { requestCode } from './code-mails.ts';
import { presentGotrueSession, presentGotrueUser } from './gotrue-replies.ts';
import { idTokenGrantSchema, pkceGrantSchema, sendProviderDisabled } from './gotrue-sign-on.ts';
import { beginSessionWithAuthPassword, beginSessionWithCode, findAuthPasswordOwner } from './log-in.ts';
import type { LoginAttempt } from './login-throttle.ts';
import { getAccountByEmail } from './own-account.ts';
import { requestResetLink } from './passwords.ts';
import { findRefreshTokenOwner, refreshSession } from './sessions.ts';
import { exchangeIdToken, exchangeSignOnCode } from './sign-on.ts';
import { signUp } from './sign-up.ts';

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

/**
 * Registers the route that exchanges an auth password, a refresh token, or what the university's sign-on returned for the
 * tokens of a session.
 */
const registerTokenRoute = (
  scope: FastifyInstance,
  app: App,
  toClient: (request: FastifyRequest, reply: FastifyReply) => Omit<LoginAttempt, 'email'>,
): void => {
  /**
   * Counts a token request toward the limit of the account that the sent credential belongs to, if that account is
   * known, so that people who share a client address do not use up each other's limit.
   */
  const countExchange = ({ ip: address }: FastifyRequest, owner: string | undefined) =>
    app.limits.consume('token', { address, userId: owner });

  scope.post(
    '/token',
    {
      config: {
        description: {
          summary: 'Exchanges an auth password, a refresh token or the result of a sign-on for a session.',
          access: 'anyone',
          query: z.object({ grant_type: z.enum(['password', 'refresh_token', 'pkce', 'id_token']) }),
          body: z.union([passwordGrantSchema, refreshGrantSchema, pkceGrantSchema, idTokenGrantSchema]),
        },
      },
    },
    async (request, reply) => {
      const { grant_type: grantType } = request.query as { grant_type?: string };
      reply.header('cache-control', 'no-store');
      if (grantType === 'password') {
        const { email, password } = parseRequestPart(passwordGrantSchema, request.body);
        await countExchange(request, await findAuthPasswordOwner(app, password));
        const device = readRequestDevice(request, reply, app.config.publicUrl);
        return presentGotrueSession(await beginSessionWithAuthPassword(app, { email, device }, password));
      }
      if (grantType === 'refresh_token') {
        const { refresh_token } = parseRequestPart(refreshGrantSchema, request.body);
        await countExchange(request, await findRefreshTokenOwner(app, refresh_token));
        return presentGotrueSession(await refreshSession(app, refresh_token));
      }
      if (app.config.signOn && grantType === 'pkce') {
        const { auth_code: code, code_verifier: verifier } = parseRequestPart(pkceGrantSchema, request.body);
        const client = toClient(request, reply);
        return presentGotrueSession(await exchangeSignOnCode(app, { code, verifier }, client));
      }
      if (app.config.signOn && grantType === 'id_token') {
        const { id_token: idToken, nonce, ...more } = parseRequestPart(idTokenGrantSchema, request.body);
        const tokens = { idToken, nonce, accessToken: more.access_token ?? undefined };
        return presentGotrueSession(await exchangeIdToken(app, tokens, toClient(request, reply)));
      }
      return sendProviderDisabled(reply);
    },
  );
};

/** Registers the routes for signing up, for requesting and verifying codes, and for starting and refreshing a session. */
export const registerLogInRoutes = (scope: FastifyInstance, app: App): void => {
  const { campus, publicUrl } = app.config;
  const signUpSchema = z.object({
    email: emailSchema,
    password: newPasswordSchema,
    data: z.object({ full_name: getFullNameSchema(campus).optional() }).nullish(),
  });
  const toClient = (request: FastifyRequest, reply: FastifyReply) => ({
    address: request.ip,
    device: readRequestDevice(request, reply, publicUrl),
  });

  scope.post(
    '/signup',
    {
      config: {
        description: {
          summary: 'Creates an account and mails its first code.',
          access: 'anyone',
          body: signUpSchema,
        },
      },
    },
    async (request, reply) => {
      const sent = (request.body ?? {}) as Record<string, unknown>;
      if (!sent.email || !sent.password)
        throw createFieldProblem({ email: accountErrorMessages.credentialsMissing });
      const body = parseRequestPart(signUpSchema, sent);
      const fullName = body.data?.full_name ?? null;
      await signUp(app, { ...body, fullName }, toClient(request, reply));
      const account = await getAccountByEmail(app, body.email);
      return reply.send(presentGotrueUser(account, { awaitsSecondFactor: false }));
    },
  );

  registerTokenRoute(scope, app, toClient);

  scope.post(
    '/otp',
    {
      config: {
        description: { summary: 'Mails a code to log in with.', access: 'anyone', body: emailBodySchema },
      },
    },
    async (request, reply) => {
      const { email } = parseRequestPart(emailBodySchema, request.body);
      await requestCode(app, { email, ...toClient(request, reply) });
      return {};
    },
  );

  scope.post(
    '/resend',
    {
      config: {
        description: { summary: 'Mails the code of a sign-up again.', access: 'anyone', body: resendSchema },
      },
    },
    async (request, reply) => {
      const { email } = parseRequestPart(resendSchema, request.body);
      await requestCode(app, { email, ...toClient(request, reply) });
      return {};
    },
  );

  scope.post(
    '/verify',
    {
      config: {
        description: {
          summary: 'Exchanges an emailed code for a session.',
          access: 'anyone',
          body: verifyBodySchema,
        },
      },
    },
    async (request, reply) => {
      const { email, token: code, password } = parseRequestPart(verifyBodySchema, request.body);
      reply.header('cache-control', 'no-store');
      const attempt = { email, ...toClient(request, reply) };
      return presentGotrueSession(await beginSessionWithCode(app, attempt, { code, password }));
    },
  );

  scope.post(
    '/recover',
    {
      config: {
        description: {
          summary: 'Mails a link to reset the password.',
          access: 'anyone',
          body: emailBodySchema,
        },
      },
    },
    async (request, reply) => {
      const { email } = parseRequestPart(emailBodySchema, request.body);
      await requestResetLink(app, { email, ...toClient(request, reply) });
      return {};
    },
  );
};

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { signOnProviderName } from '#contract/accounts.ts';
import { createProblem, formatProblemMessage } from '#contract/errors.ts';
import { idSchema } from '#contract/text.ts';
import type { App } from '#server/app.ts';
import type { RouteDescription } from '#server/http/documentation.ts';
import { toProblem } from '#server/http/error-replies.ts';
import { keepSignOnBrowser, readSignOnBrowser } from '#server/http/sign-on-cookie.ts';
import type { GotrueGuards } from './gotrue-guards.ts';
import { sendGotrueErrorReply } from './gotrue-replies.ts';
import { hasIdentity } from './identity-repository.ts';
import { assertMayChangeFactors } from './reauthentication.ts';
import { finishSignOn, refuseSignOn, startSignOn } from './sign-on.ts';
import { disconnectIdentity } from './sign-on-accounts.ts';

const authorizeSchema = z.object({
  provider: z.string().max(100),
  redirect_to: z.string().max(2000).optional(),
  code_challenge: z.string().regex(/^[\w-]{43}$/, 'A challenge by the method S256 is needed'),
  code_challenge_method: z
    .string()
    .max(10)
    .refine((method) => method.toLowerCase() === 's256', 'Only the method S256 is offered'),
  /** With `login`, the person has to enter their credentials, also if they are logged in at the university. */
  prompt: z.literal('login').optional(),
});

/**
 * Returns the URL to which a log-in returns: a page of this site, by default the one that completes log-ins. Returns
 * undefined for the URL of another site.
 */
const findRedirectTarget = ({ config }: App, redirectTo: string | undefined): string | undefined => {
  if (!redirectTo) return `${config.publicUrl}/auth/callback`;
  const url = URL.parse(redirectTo);
  const isOwn = url?.origin === config.publicUrl && !url.username && !url.password;
  return isOwn ? url.href : undefined;
};

const withParameters = (url: string, parameters: Record<string, string>): string => {
  const target = new URL(url);
  for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
  return target.href;
};

export const sendProviderDisabled = (reply: FastifyReply): FastifyReply =>
  sendGotrueErrorReply(reply, {
    status: 400,
    code: 'provider_disabled',
    message: 'This way of signing in is not offered here',
  });

/**
 * Registers the routes with which a browser goes to the university's sign-on and comes back, and with which a signed-in
 * person connects and disconnects it. What fails on the way leads to the page that completes log-ins, with the error.
 */
export const registerSignOnRoutes = (
  scope: FastifyInstance,
  app: App,
  { requireFullSession, countWrite }: GotrueGuards,
): void => {
  const { campus, publicUrl, signOn } = app.config;
  scope.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
  });

  const toErrorPage = (
    request: FastifyRequest,
    reply: FastifyReply,
    error: unknown,
    redirectTo = `${publicUrl}/auth/callback`,
  ): FastifyReply => {
    const problem = toProblem(error);
    if (problem.code === 'internal') request.log.error({ err: error }, 'request failed');
    const url = withParameters(redirectTo, {
      error: problem.code === 'sign_on_canceled' ? 'access_denied' : 'server_error',
      error_code: problem.code,
      error_description: formatProblemMessage(problem, campus),
    });
    return reply.redirect(url, 303);
  };

  const parseStart = async (query: unknown) => {
    const { success, data } = authorizeSchema.safeParse(query);
    const redirectTo = success ? findRedirectTarget(app, data.redirect_to) : undefined;
    if (!success || data.provider !== signOnProviderName) throw createProblem('sign_on_failed');
    if (redirectTo === undefined) return refuseSignOn(app, 'foreign redirect_to');
    return { codeChallenge: data.code_challenge, redirectTo, isProof: data.prompt === 'login' };
  };

  const toSignOn: RouteDescription = {
    summary: 'Leads the browser to the university’s sign-on.',
    access: 'anyone',
    query: authorizeSchema,
    response: 'redirect',
  };
  scope.get('/authorize', { config: { description: toSignOn } }, async (request, reply) => {
    if (!signOn) return sendProviderDisabled(reply);
    let redirectTo: string | undefined;
    try {
      await app.limits.consume('sign_on', { address: request.ip });
      const start = await parseStart(request.query);
      redirectTo = start.redirectTo;
      const browserHash = keepSignOnBrowser(request, reply, publicUrl);
      return reply.redirect(await startSignOn(app, { ...start, browserHash }), 303);
    } catch (error) {
      return toErrorPage(request, reply, error, redirectTo);
    }
  });

  const fromSignOn: RouteDescription = {
    summary: 'Leads the browser back to the page that completes the log-in.',
    access: 'anyone',
    response: 'redirect',
  };
  scope.get('/callback', { config: { description: fromSignOn } }, async (request, reply) => {
    if (!signOn) return sendProviderDisabled(reply);
    try {
      await app.limits.consume('sign_on', { address: request.ip });
      const url = new URL(request.url, publicUrl);
      const { redirectTo, result } = await finishSignOn(app, url, readSignOnBrowser(request, publicUrl));
      if ('problem' in result) return toErrorPage(request, reply, result.problem, redirectTo);
      return reply.redirect(withParameters(redirectTo ?? publicUrl, { code: result.code }), 303);
    } catch (error) {
      return toErrorPage(request, reply, error);
    }
  });

  const connecting: RouteDescription = {
    summary:
      'Returns the URL of the university’s sign-on, to connect it with the account or, with `prompt=login`, to prove that it is still the owner of the session.',
    access: 'user',
    query: authorizeSchema,
  };
  scope.get('/user/identities/authorize', { config: { description: connecting } }, async (request, reply) => {
    const session = await requireFullSession(request);
    await countWrite(request);
    if (!signOn) return sendProviderDisabled(reply);
    const start = await parseStart(request.query);
    if (start.isProof) {
      if (!(await hasIdentity(app.sql, session.userId))) throw createProblem('identity_not_found');
      // The university may prove the second factor at later log-ins.
    } else await assertMayChangeFactors(app, session);
    const browserHash = keepSignOnBrowser(request, reply, publicUrl);
    return { url: await startSignOn(app, { ...start, browserHash, sessionId: session.sessionId }) };
  });

  const disconnecting: RouteDescription = {
    summary: 'Disconnects the university’s sign-on.',
    access: 'user',
  };
  scope.delete('/user/identities/:id', { config: { description: disconnecting } }, async (request) => {
    const session = await requireFullSession(request);
    await countWrite(request);
    const { data: id } = idSchema.safeParse((request.params as { id?: string }).id);
    if (id === undefined) throw createProblem('identity_not_found');
    await disconnectIdentity(app, session, id);
    return {};
  });
};

export const pkceGrantSchema = z.object({
  auth_code: z.string().min(1).max(200),
  code_verifier: z.string().min(43).max(200),
});
export const idTokenGrantSchema = z.object({
  provider: z.literal(signOnProviderName, { error: 'This way of signing in is not offered here' }),
  id_token: z.string().min(1).max(20_000),
  access_token: z.string().min(1).max(20_000).nullish(),
  nonce: z.string({ error: 'A nonce is needed' }).min(1).max(200),
});

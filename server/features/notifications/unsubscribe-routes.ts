import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createProblem, errorCatalog, formatErrorMessage } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { toProblem } from '#server/http/error-replies.ts';
import { createCallGuard } from '#server/http/serve.ts';
import { decryptUnsubscribeToken, type UnsubscribeRequest, unsubscribePath } from '#server/mail/public.ts';
import { stopEmails } from './settings.ts';
import {
  renderInvalidLinkPage,
  renderUnsubscribeConfirmationPage,
  renderUnsubscribedPage,
  unsubscribeCsp,
} from './unsubscribe-page.ts';

type TokenRequest = FastifyRequest<{ Params: { token: string } }>;

/** Maximum size of a posted body, which is ignored. Mail programs post one short field (RFC 8058). */
const maxBodyBytes = 4096;

/**
 * Serves the unsubscribe link. The link can switch off emails of one kind and nothing else. It neither needs nor
 * creates a session, so a forged request from another site gains nothing.
 */
export const registerUnsubscribeRoutes = async (server: FastifyInstance, app: App): Promise<void> => {
  const { campus, publicUrl } = app.config;
  const site = { campus, publicUrl };

  const sendPage = (reply: FastifyReply, status: number, html: string): FastifyReply =>
    reply
      .code(status)
      .headers({
        'cache-control': 'no-store',
        'content-security-policy': unsubscribeCsp,
        // The URL is the credential, so it must not leak in a Referer header.
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
      })
      .type('text/html; charset=utf-8')
      .send(html);

  const getRequest = ({ params }: TokenRequest): UnsubscribeRequest => {
    const wanted = decryptUnsubscribeToken(app.secrets.pepper, params.token);
    if (wanted === undefined) throw createProblem('unsubscribe_link_invalid');
    return wanted;
  };

  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBodyBytes }, (_request, _body, done) =>
      done(null, undefined),
    );
    scope.setErrorHandler((error, request, reply) => {
      const refusal = toProblem(error);
      const { code, retryAfter } = refusal;
      if (code === 'internal') request.log.error({ err: error }, 'request failed');
      if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
      const sentence = formatErrorMessage(code, campus);
      return sendPage(reply, errorCatalog[code].status, renderInvalidLinkPage(site, sentence));
    });
    const onRequest = createCallGuard(app, { access: 'anyone', limit: 'unsubscribe' });

    scope.get(`${unsubscribePath}/:token`, { onRequest }, async (request: TokenRequest, reply) => {
      return sendPage(reply, 200, renderUnsubscribeConfirmationPage(site, getRequest(request).kind));
    });

    scope.post(`${unsubscribePath}/:token`, { onRequest }, async (request: TokenRequest, reply) => {
      const { userId, kind } = getRequest(request);
      await stopEmails(app, userId, kind === undefined ? ['messages', 'deals'] : [kind]);
      return sendPage(reply, 200, renderUnsubscribedPage(site, kind));
    });
  });
};

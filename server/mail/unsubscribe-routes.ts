import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createProblem, errorCatalogue, formatErrorMessage } from '#contract/errors.ts';
import { toProblem } from '#server/http/error-replies.ts';
import { createCallGuard, type HttpDeps } from '#server/http/serve.ts';
import { readUnsubscribeToken, unsubscribePath } from './unsubscribe-link.ts';
import {
  renderConfirmPage,
  renderErrorPage,
  renderUnsubscribedPage,
  unsubscribeCsp,
} from './unsubscribe-page.ts';

interface UnsubscribeDeps {
  pepper: Buffer;
  publicUrl: string;
  stopMessageMail(userId: string): Promise<void>;
}

type TokenRequest = FastifyRequest<{ Params: { token: string } }>;

/** Maximum size of a posted body, which is ignored. Mail programs post one short field (RFC 8058). */
const maxBodyBytes = 4096;

/**
 * Serves the unsubscribe link. The link can switch off emails about messages and nothing else. It neither needs nor
 * creates a session, so a forged request from another site gains nothing.
 */
export const unsubscribeRoutes = async (
  app: FastifyInstance,
  http: HttpDeps,
  { pepper, publicUrl, stopMessageMail }: UnsubscribeDeps,
): Promise<void> => {
  const site = { campus: http.campus, publicUrl };

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

  const getRecipientId = ({ params }: TokenRequest): string => {
    const userId = readUnsubscribeToken(pepper, params.token);
    if (userId === undefined) throw createProblem('unsubscribe_link_invalid');
    return userId;
  };

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBodyBytes }, (_request, _body, done) =>
      done(null, undefined),
    );
    scope.setErrorHandler((error, request, reply) => {
      const refusal = toProblem(error);
      const { code, retryAfter } = refusal;
      if (code === 'internal') request.log.error({ err: error }, 'request failed');
      if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
      const sentence = formatErrorMessage(code, http.campus);
      return sendPage(reply, errorCatalogue[code].status, renderErrorPage(site, sentence));
    });
    const onRequest = createCallGuard(http, { access: 'anyone', limit: 'unsubscribe' });

    scope.get(`${unsubscribePath}/:token`, { onRequest }, async (request: TokenRequest, reply) => {
      getRecipientId(request);
      return sendPage(reply, 200, renderConfirmPage(site));
    });

    scope.post(`${unsubscribePath}/:token`, { onRequest }, async (request: TokenRequest, reply) => {
      await stopMessageMail(getRecipientId(request));
      return sendPage(reply, 200, renderUnsubscribedPage(site));
    });
  });
};

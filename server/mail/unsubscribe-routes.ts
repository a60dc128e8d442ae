import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorCatalogue, errorSentence, problem } from '#contract/errors.ts';
import { toProblem } from '#server/http/error-replies.ts';
import { guard, type HttpDeps } from '#server/http/serve.ts';
import { readUnsubscribeToken, unsubscribePath } from './unsubscribe-link.ts';
import { askPage, refusedPage, stoppedPage, unsubscribePolicy } from './unsubscribe-page.ts';

interface UnsubscribeDeps {
  pepper: Buffer;
  publicUrl: string;
  stopMessageMail(userId: string): Promise<void>;
}

type Visit = FastifyRequest<{ Params: { token: string } }>;

/** A mail program posts one short field (RFC 8058); it says nothing that the address does not. */
const bodyAtMost = 4096;

/**
 * The link in mails about messages. Whoever holds it may switch such mail off and nothing else: no session is asked
 * for or made, so a foreign page that posts to it gains nothing either.
 */
export const unsubscribeRoutes = async (
  app: FastifyInstance,
  http: HttpDeps,
  { pepper, publicUrl, stopMessageMail }: UnsubscribeDeps,
): Promise<void> => {
  const site = { campus: http.campus, publicUrl };

  const answer = (reply: FastifyReply, status: number, html: string): FastifyReply =>
    reply
      .code(status)
      .headers({
        'cache-control': 'no-store',
        'content-security-policy': unsubscribePolicy,
        // The address is the key: it is told to nobody.
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
      })
      .type('text/html; charset=utf-8')
      .send(html);

  const readerOf = ({ params }: Visit): string => {
    const userId = readUnsubscribeToken(pepper, params.token);
    if (userId === undefined) throw problem('unsubscribe_link_invalid');
    return userId;
  };

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: bodyAtMost }, (_request, _body, done) =>
      done(null, undefined),
    );
    scope.setErrorHandler((error, request, reply) => {
      const refusal = toProblem(error);
      const { code, retryAfter } = refusal;
      if (code === 'internal') request.log.error({ err: error }, 'request failed');
      if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
      const sentence = errorSentence(code, http.campus);
      return answer(reply, errorCatalogue[code].status, refusedPage(site, sentence));
    });
    const onRequest = guard(http, { access: 'anyone', limit: 'unsubscribe' });

    scope.get(`${unsubscribePath}/:token`, { onRequest }, async (request: Visit, reply) => {
      readerOf(request);
      return answer(reply, 200, askPage(site));
    });

    scope.post(`${unsubscribePath}/:token`, { onRequest }, async (request: Visit, reply) => {
      await stopMessageMail(readerOf(request));
      return answer(reply, 200, stoppedPage(site));
    });
  });
};

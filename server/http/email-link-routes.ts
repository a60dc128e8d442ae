import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CallDeclaration } from '#contract/calls/declare-call.ts';
import { errorCatalog, formatErrorMessage } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { toProblem } from './error-replies.ts';
import { createCallGuard } from './serve.ts';

/** Maximum size of a posted body, which is ignored. Mail programs post one short field (RFC 8058). */
const maxBodyBytes = 4096;

export interface EmailLinkOptions {
  /** Path of the link, which contains a token. */
  path: string;
  limit: NonNullable<CallDeclaration['limit']>;
  /** The Content-Security-Policy of the pages. */
  csp: string;
  /** Returns the page that a link opens. */
  open: (params: Record<string, string>) => Promise<string>;
  /** Does what the link is for, and returns the page that says so. */
  confirm: (params: Record<string, string>) => Promise<string>;
  /** Returns the page for a link that does not work. */
  renderProblem: (sentence: string) => string;
}

/**
 * Serves a link of emails, which needs no log-in. Opening it changes nothing, because mail scanners follow links; only the
 * button on its page does. It neither needs nor creates a session, so a forged request from another site gains nothing.
 */
export const serveEmailLink = async (
  server: FastifyInstance,
  app: App,
  { path, limit, csp, open, confirm, renderProblem }: EmailLinkOptions,
): Promise<void> => {
  const sendPage = (reply: FastifyReply, status: number, html: string): FastifyReply =>
    reply
      .code(status)
      .headers({
        'cache-control': 'no-store',
        'content-security-policy': csp,
        // The URL is the credential, so it must not leak in a Referer header.
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
      })
      .type('text/html; charset=utf-8')
      .send(html);

  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBodyBytes }, (_request, _body, done) =>
      done(null, undefined),
    );
    scope.setErrorHandler((error, request, reply) => {
      const { code, message, retryAfter } = toProblem(error);
      if (code === 'internal') request.log.error({ err: error }, 'request failed');
      if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
      const sentence = message || formatErrorMessage(code, app.config.campus);
      return sendPage(reply, errorCatalog[code].status, renderProblem(sentence));
    });
    const onRequest = createCallGuard(app, { access: 'anyone', limit });
    const serve =
      (respond: EmailLinkOptions['open']) =>
      async ({ params }: FastifyRequest, reply: FastifyReply) =>
        sendPage(reply, 200, await respond(params as Record<string, string>));
    scope.get(path, { onRequest }, serve(open));
    scope.post(path, { onRequest }, serve(confirm));
  });
};

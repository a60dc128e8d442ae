import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Span } from '#server/platform/process/spans.ts';
import { isTracing, startSpan } from '#server/platform/process/tracing.ts';
import { toRouteLabel } from './metrics.ts';

const spans = new WeakMap<IncomingMessage, Span>();

/** Paths that monitoring calls all the time. */
const unrecordedPaths = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Starts the span of a request and returns the id of its trace, or undefined when the request is not recorded. Neither
 * path nor query are recorded, because they contain searches and secrets. A `traceparent` of the client is ignored,
 * because the id also names the request in the log.
 */
export const startRequestSpan = (request: IncomingMessage): string | undefined => {
  const { method = 'GET', url = '/' } = request;
  if (!isTracing() || unrecordedPaths.has(url)) return undefined;
  const span = startSpan({ name: method, kind: 'server', attributes: { 'http.request.method': method } });
  if (span) spans.set(request, span);
  return span?.traceId;
};

/** Runs the hooks and the handler of each request within its span, and ends the span with the response. */
export const installRequestSpans = (server: FastifyInstance): void => {
  if (!isTracing()) return;
  server.addHook('onRequest', (request, reply, done) => {
    const span = spans.get(request.raw);
    if (!span) return done();
    finished(reply.raw, () => {
      const route = toRouteLabel(request);
      const { statusCode } = reply;
      span.rename(`${request.method} ${route}`, {
        'http.route': route,
        'http.response.status_code': statusCode,
      });
      if (statusCode >= 500) span.fail(String(statusCode));
      span.end();
    });
    span.run(done);
  });
  // Receiving a body loses the context, as request-context.ts explains.
  server.addHook('preValidation', ({ raw }, _reply, done) => {
    const span = spans.get(raw);
    if (span) span.run(done);
    else done();
  });
};

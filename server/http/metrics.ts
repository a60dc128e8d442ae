import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createProblem } from '#contract/errors.ts';
import type { Metrics } from '#server/platform/process/metrics.ts';
import { areBytesEqual } from '#server/platform/secrets.ts';
import { isDirectLocalRequest } from './local-requests.ts';
import { readBearerToken } from './serve.ts';

/** Hashes text, so that two texts of different lengths can be compared in constant time. */
const hashText = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Returns the value of the `route` label of a request, also for its span. All built files share one value, and all
 * pages and unknown paths share another, so that requests for arbitrary paths create no new time
 * series.
 */
export const toRouteLabel = ({ routeOptions: { url } }: FastifyRequest): string => {
  if (url === undefined) return 'page';
  return url.startsWith('/assets/') || /\.[a-z0-9]+$/.test(url) ? 'file' : url;
};

/**
 * Counts every request and serves `/metrics` in the text format of Prometheus. Requests for `/metrics` need the token if
 * one is configured. Otherwise they must come directly from this machine, and with an https `publicUrl` nobody gets
 * metrics, because a proxy may forward requests so that they look direct. All others get 404.
 */
export const installMetrics = (
  server: FastifyInstance,
  metrics: Metrics,
  { metricsToken: token, publicUrl }: { metricsToken: string | undefined; publicUrl: string },
): void => {
  server.addHook('onResponse', (request, reply, done) => {
    metrics.observeRequest({
      method: request.method,
      route: toRouteLabel(request),
      status: reply.raw.statusCode,
      seconds: reply.elapsedTime / 1000,
    });
    done();
  });
  server.get('/metrics', async (request, reply) => {
    const isAllowed =
      token === undefined
        ? !publicUrl.startsWith('https:') && isDirectLocalRequest(request)
        : areBytesEqual(hashText(readBearerToken(request) ?? ''), hashText(token));
    if (!isAllowed) throw createProblem('not_found');
    const { text, contentType } = await metrics.read();
    return reply.header('cache-control', 'no-store').type(contentType).send(text);
  });
};

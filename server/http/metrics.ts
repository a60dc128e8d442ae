import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { problem } from '#contract/errors.ts';
import type { Metrics } from '#server/platform/process/metrics.ts';
import { areBytesEqual } from '#server/platform/secrets.ts';
import { bearerToken } from './serve.ts';

const loopbackAddresses = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);
const proxyHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'];
/** Hashes text, so that two texts of different lengths can be compared in constant time. */
const hashText = (text: string): Buffer => createHash('sha256').update(text).digest();

// Checks the address of the connection, because headers can be forged.
const isDirectLocalRequest = ({ raw, headers }: FastifyRequest): boolean =>
  loopbackAddresses.has(raw.socket.remoteAddress ?? '') &&
  proxyHeaders.every((name) => headers[name] === undefined);

/**
 * Returns the route label of a request. Built files share one label and unknown paths another, so that visitors cannot
 * create new series.
 */
const toRouteLabel = ({ routeOptions: { url } }: FastifyRequest): string => {
  if (url === undefined) return 'page';
  return url.startsWith('/assets/') || /\.[a-z0-9]+$/.test(url) ? 'file' : url;
};

/**
 * Counts every request and serves `/metrics` in the text format of Prometheus: with the token where one is set,
 * otherwise only to direct requests from the same machine. Everybody else gets 404.
 */
export const installMetrics = (app: FastifyInstance, metrics: Metrics, token: string | undefined): void => {
  app.addHook('onResponse', (request, reply, done) => {
    metrics.observeRequest({
      method: request.method,
      route: toRouteLabel(request),
      status: reply.raw.statusCode,
      seconds: reply.elapsedTime / 1000,
    });
    done();
  });
  app.get('/metrics', async (request, reply) => {
    const isAllowed =
      token === undefined
        ? isDirectLocalRequest(request)
        : areBytesEqual(hashText(bearerToken(request) ?? ''), hashText(token));
    if (!isAllowed) throw problem('not_found');
    const { text, contentType } = await metrics.read();
    return reply.header('cache-control', 'no-store').type(contentType).send(text);
  });
};

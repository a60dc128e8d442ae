import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { problem } from '#contract/errors.ts';
import type { Metrics } from '#server/platform/process/metrics.ts';
import { areBytesEqual } from '#server/platform/secrets.ts';
import { bearerToken } from './serve.ts';

const loopback = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);
const forwarded = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'];
/** Returns whether the token is the configured one, in constant time. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

// Decided by the connection, because headers can be forged.
const isDirectLocalRequest = ({ raw, headers }: FastifyRequest): boolean =>
  loopback.has(raw.socket.remoteAddress ?? '') && forwarded.every((name) => headers[name] === undefined);

/**
 * Returns the route of a request. Built files and unknown paths share one label, so visitors cannot create new series.
 */
const routeOf = ({ routeOptions: { url } }: FastifyRequest): string => {
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
      route: routeOf(request),
      status: reply.raw.statusCode,
      seconds: reply.elapsedTime / 1000,
    });
    done();
  });
  app.get('/metrics', async (request, reply) => {
    const may =
      token === undefined
        ? isDirectLocalRequest(request)
        : areBytesEqual(digest(bearerToken(request) ?? ''), digest(token));
    if (!may) throw problem('not_found');
    const { text, contentType } = await metrics.read();
    return reply.header('cache-control', 'no-store').type(contentType).send(text);
  });
};

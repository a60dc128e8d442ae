import type { FastifyRequest } from 'fastify';

const loopbackAddresses = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);
/** Matches the names of request headers that only proxies add. */
const proxyHeaderPattern =
  /^(forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|cf-connecting-ip|true-client-ip)$/;
const localHostPattern = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/**
 * Returns whether a request comes directly from this machine. Requests through a proxy and requests for another host
 * name (DNS rebinding attacks) do not count. The client's address is that of the connection, because clients can forge
 * headers.
 */
export const isDirectLocalRequest = ({ socket, headers, raw }: FastifyRequest): boolean =>
  loopbackAddresses.has(socket.remoteAddress ?? '') &&
  localHostPattern.test(headers.host ?? '') &&
  // Refuse HTTP/1.0: current browsers and Prometheus do not use it, but some proxies do by default.
  raw.httpVersion !== '1.0' &&
  !Object.keys(headers).some((name) => proxyHeaderPattern.test(name));

import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { startRequestSpan } from './request-spans.ts';

/**
 * Creates a generator of request ids. The id of a request that is recorded is that of its trace. Other ids are short,
 * unique across processes, and do not reveal the number of requests.
 */
export const createRequestIdGenerator = (): ((request: IncomingMessage) => string) => {
  const processPrefix = randomBytes(5).toString('hex');
  let requestCount = randomBytes(2).readUInt16BE();
  return (request) => {
    const traceId = startRequestSpan(request);
    if (traceId) return traceId;
    requestCount += 1;
    return `${processPrefix}-${requestCount.toString(36)}`;
  };
};

/**
 * Adds the request id, which the log also contains, to each response. Cached pages have none, because all visitors
 * share them.
 */
export const installRequestIds = (server: FastifyInstance): void => {
  server.addHook('onSend', (request, reply, _payload, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
};

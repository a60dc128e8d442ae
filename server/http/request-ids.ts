import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

/** Creates request ids: short, unique across processes, and without information about the number of requests. */
export const createRequestIds = (): (() => string) => {
  const process = randomBytes(5).toString('hex');
  let count = randomBytes(2).readUInt16BE();
  return () => {
    count += 1;
    return `${process}-${count.toString(36)}`;
  };
};

/** Adds the request id, which the log also contains, to each response. Cached pages, shared by everyone, have none. */
export const installRequestIds = (app: FastifyInstance): void => {
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
};

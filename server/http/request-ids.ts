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

/** Answers each request with its id, as the log names it. Kept pages, the same for everyone, carry none. */
export const installRequestIds = (app: FastifyInstance): void => {
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
};

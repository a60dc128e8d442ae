import type { FastifyInstance } from 'fastify';

/** A browser in front of the application: it keeps the cookies it is given and sends them with each request. */
export const createBrowser = (app: FastifyInstance, remoteAddress = '127.0.0.1') => {
  const cookies: Record<string, string> = {};
  return {
    cookies,
    post: async (url: string, payload: object, from = remoteAddress, headers = {}) => {
      const answer = await app.inject({
        method: 'POST',
        url,
        payload,
        remoteAddress: from,
        cookies,
        headers,
      });
      for (const { name, value } of answer.cookies) cookies[name] = value;
      return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
    },
  };
};

export type Browser = ReturnType<typeof createBrowser>;

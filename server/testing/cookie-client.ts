import type { FastifyInstance } from 'fastify';

/**
 * Creates an HTTP client for the application. Like a browser, it stores cookies and sends them with each
 * request.
 */
export const createCookieClient = (server: FastifyInstance, remoteAddress = '127.0.0.1') => {
  const cookies: Record<string, string> = {};
  return {
    cookies,
    post: async (url: string, payload: object, from = remoteAddress, headers = {}) => {
      const response = await server.inject({
        method: 'POST',
        url,
        payload,
        remoteAddress: from,
        cookies,
        headers,
      });
      for (const { name, value } of response.cookies) cookies[name] = value;
      return { status: response.statusCode, body: response.json(), headers: response.headers };
    },
  };
};

export type CookieClient = ReturnType<typeof createCookieClient>;

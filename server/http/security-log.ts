import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Calls by which somebody enters, leaves or changes how they enter. */
const entrance =
  /^\/auth\/v1\/(?!user$|\.well-known)|^\/functions\/v1\/(signup|verify-otp|login-password|send-|forgot-|reset-)/;

const eventOf = ({ method, session, routeOptions }: FastifyRequest, status: number): string | undefined => {
  const route = routeOptions.url;
  if (!route) return undefined;
  if (status === 429) return 'too much';
  if (entrance.test(route) || (method === 'PUT' && route === '/auth/v1/user')) return 'entrance';
  // To who is signed in, what is somebody else's is missing.
  if (status === 401 || status === 403 || (session && status === 404)) return 'refused';
  return undefined;
};

/**
 * Notes every attempt to enter, every refusal and every limit that was reached: which call, how it ended, for which
 * account and from where. The route stands for the address, so that nothing secret in one is ever noted.
 */
export const installSecurityLog = (app: FastifyInstance): void => {
  app.addHook('onResponse', async (request, { statusCode: status }) => {
    const event = eventOf(request, status);
    if (!event) return;
    const { method, routeOptions, ip: address, session } = request;
    request.log.info(
      { event, method, route: routeOptions.url, status, address, user: session?.userId },
      'security',
    );
  });
};

import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Calls that sign in, sign out or change credentials. */
const credentialRoutePattern =
  /^\/auth\/v1\/(?!user$|\.well-known)|^\/functions\/v1\/(signup|verify-otp|login-password|send-|forgot-|reset-)|^\/rest\/v1\/me\/campus-address/;

const classifySecurityEvent = (
  { method, session, routeOptions }: FastifyRequest,
  status: number,
): string | undefined => {
  const route = routeOptions.url;
  if (!route) return undefined;
  if (status === 429) return 'too much';
  if (credentialRoutePattern.test(route) || (method === 'PUT' && route === '/auth/v1/user'))
    return 'entrance';
  // A signed-in person gets 404 instead of 403 for objects of other people, so log 404 as a refusal, too.
  if (status === 401 || status === 403 || (session && status === 404)) return 'refused';
  return undefined;
};

/**
 * Logs every sign-in attempt, every refusal and every exceeded limit, with the call, the status, the account and the
 * client. It logs the route instead of the URL, which may contain secrets.
 */
export const installSecurityLog = (server: FastifyInstance): void => {
  server.addHook('onResponse', (request, { statusCode: status }, done) => {
    const event = classifySecurityEvent(request, status);
    if (!event) return done();
    const { method, routeOptions, ip: address, session } = request;
    request.log.info(
      { event, method, route: routeOptions.url, status, address, user: session?.userId },
      'security',
    );
    done();
  });
};

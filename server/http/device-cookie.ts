import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { knownDeviceLifetimeSeconds } from '#contract/accounts.ts';
import type { RequestDevice } from '#server/platform/process/request-context.ts';
import { generateToken, hashToken } from '#server/platform/secrets.ts';
import { getDeviceName } from './device-name.ts';

const deviceIdPattern = /^[\w-]{43}$/;

const getCookieName = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? '__Host-quad-device' : 'quad-device';

const readDeviceId = (request: FastifyRequest, publicUrl: string): string | undefined => {
  const { cookie } = request.headers;
  const sent = cookie === undefined ? undefined : parseCookie(cookie)[getCookieName(publicUrl)];
  return sent !== undefined && deviceIdPattern.test(sent) ? sent : undefined;
};

/**
 * Returns the SHA-256 of the device id in a request's cookie, or undefined when the request has no valid
 * device cookie.
 */
export const readDeviceIdHash = (request: FastifyRequest, publicUrl: string): Buffer | undefined => {
  const id = readDeviceId(request, publicUrl);
  return id === undefined ? undefined : hashToken(id);
};

/**
 * Returns the device that sent a request. The device id is in a cookie that is independent of
 * sessions (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"); `keep` and `renew` set
 * the cookie on the reply. With https, the cookie's name starts with `__Host-`, so that no other
 * host of the same domain can set the cookie. This prefix requires the path `/` (RFC 6265bis,
 * section 4.1.3.2).
 */
export const readRequestDevice = (
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
): RequestDevice => {
  const secure = publicUrl.startsWith('https:');
  const name = getCookieName(publicUrl);
  const id = readDeviceId(request, publicUrl);
  const setCookie = (value: string): Buffer => {
    const cookie = { name, value, path: '/', maxAge: knownDeviceLifetimeSeconds, httpOnly: true, secure };
    reply.header('set-cookie', stringifySetCookie({ ...cookie, sameSite: 'strict' }));
    return hashToken(value);
  };
  return {
    hash: id === undefined ? undefined : hashToken(id),
    // Most requests do not need the device name, so a getter computes it on demand.
    get name() {
      return getDeviceName(request.headers['user-agent']);
    },
    keep: () => setCookie(id ?? generateToken()),
    renew: () => setCookie(generateToken()),
  };
};

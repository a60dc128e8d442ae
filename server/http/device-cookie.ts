import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { deviceLifetimeSeconds } from '#contract/accounts.ts';
import type { RequestDevice } from '#server/platform/process/request-context.ts';
import { hashToken, randomToken } from '#server/platform/secrets.ts';

const wellFormed = /^[\w-]{43}$/;

const cookieName = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? '__Host-quad-device' : 'quad-device';

const readId = (request: FastifyRequest, publicUrl: string): string | undefined => {
  const { cookie } = request.headers;
  const sent = cookie === undefined ? undefined : parseCookie(cookie)[cookieName(publicUrl)];
  return sent !== undefined && wellFormed.test(sent) ? sent : undefined;
};

/** Returns the SHA-256 of the device id of a request, for callers that only read it. */
export const deviceHash = (request: FastifyRequest, publicUrl: string): Buffer | undefined => {
  const id = readId(request, publicUrl);
  return id === undefined ? undefined : hashToken(id);
};

/**
 * Reads the device of a request and writes it to the reply, as a session-independent cookie (OWASP, "Slow Down Online
 * Guessing Attacks with Device Cookies"). Behind https it has the prefix `__Host-`, so that no other host of the same
 * domain can plant one; that prefix requires the path `/` (RFC 6265bis, section 4.1.3.2).
 */
export const requestDevice = (
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
): RequestDevice => {
  const secure = publicUrl.startsWith('https:');
  const name = cookieName(publicUrl);
  const id = readId(request, publicUrl);
  const setCookie = (value: string): Buffer => {
    const cookie = { name, value, path: '/', maxAge: deviceLifetimeSeconds, httpOnly: true, secure };
    reply.header('set-cookie', stringifySetCookie({ ...cookie, sameSite: 'strict' }));
    return hashToken(value);
  };
  return {
    hash: id === undefined ? undefined : hashToken(id),
    keep: () => setCookie(id ?? randomToken()),
    renew: () => setCookie(randomToken()),
  };
};

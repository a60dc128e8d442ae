import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { generateToken, hashToken } from '#server/platform/secrets.ts';

// While somebody logs in at the university's sign-on, a cookie names the browser that began, so that its end in another
// browser is refused. It authorizes nothing. SameSite=Lax lets it return from the provider's site.

const lifetimeSeconds = 3600;
const idPattern = /^[\w-]{43}$/;

const getCookieName = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? '__Host-quad-sign-on' : 'quad-sign-on';

const readId = ({ headers: { cookie } }: FastifyRequest, publicUrl: string): string | undefined => {
  const sent = cookie === undefined ? undefined : parseCookie(cookie)[getCookieName(publicUrl)];
  return sent !== undefined && idPattern.test(sent) ? sent : undefined;
};

/** Returns the hash of the id in the cookie, or undefined when there is none. */
export const readSignOnBrowser = (request: FastifyRequest, publicUrl: string): Buffer | undefined => {
  const id = readId(request, publicUrl);
  return id === undefined ? undefined : hashToken(id);
};

/** Sets the cookie, and returns the hash of its id. Several log-ins of a browser share the id. */
export const keepSignOnBrowser = (
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
): Buffer => {
  const id = readId(request, publicUrl) ?? generateToken();
  const cookie = stringifySetCookie({
    name: getCookieName(publicUrl),
    value: id,
    path: '/',
    maxAge: lifetimeSeconds,
    httpOnly: true,
    secure: publicUrl.startsWith('https:'),
    sameSite: 'lax',
  });
  reply.header('set-cookie', cookie);
  return hashToken(id);
};

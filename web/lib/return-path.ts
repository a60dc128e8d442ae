import { useLocation } from 'react-router';
import { accountFormPaths, links } from './links.ts';

const accountPathPrefixes = [...accountFormPaths, '/reset-password', '/auth/'];

/**
 * Returns the path to return to after logging in. Returns undefined for account screens and for anything that a browser
 * could interpret as a URL of another site.
 */
export const parseReturnPath = (value: unknown): string | undefined => {
  if (typeof value !== 'string' || !value.startsWith('/')) return undefined;
  const base = 'https://quad.invalid';
  let url: URL;
  try {
    url = new URL(value, base);
  } catch {
    return undefined;
  }
  const path = `${url.pathname}${url.search}${url.hash}`;
  if (url.origin !== base || path.startsWith('//')) return undefined;
  return accountPathPrefixes.some((screen) => url.pathname.startsWith(screen)) ? undefined : path;
};

const withReturnPath = (screen: string, from: string | undefined): string => {
  const path = parseReturnPath(from);
  return path && path !== links.home ? `${screen}?from=${encodeURIComponent(path)}` : screen;
};

/** Returns the path of the log-in screen that leads back to `from`. */
export const toLoginPath = (from?: string): string => withReturnPath(links.login, from);

/** Returns the path of the profile set-up screen that leads back to `from`. */
export const toProfileSetupPath = (from?: string): string => withReturnPath(links.profileSetup, from);

/** Returns the path of the sign-up screen that leads back to `from`. */
export const toSignupPath = (from?: string): string => withReturnPath(links.signup, from);

/**
 * Returns the path to return to from an account screen: from the location's state, or from the
 * query parameter `from`.
 */
export const useReturnPath = (): string | undefined => {
  const { state, search } = useLocation();
  const { from } = (state ?? {}) as { from?: unknown };
  return parseReturnPath(from) ?? parseReturnPath(new URLSearchParams(search).get('from'));
};

import { AsyncLocalStorage } from 'node:async_hooks';
import type { ConsoleRole } from '#contract/console.ts';

/** Facts about the current request, available to all code that runs on its behalf. */
export interface RequestContext {
  id: string;
  /** The client's address, taken from forwarded headers only when the proxy is trusted. */
  address: string;
  /** Id of the signed-in account, or undefined for visitors. */
  userId?: string | undefined;
  /** The reason that a moderator or administrator gave for the action, for the audit trail. */
  reason?: string | undefined;
}

const requestContextStorage = new AsyncLocalStorage<RequestContext>();

/** Runs a function, and everything it starts, in the context of a request. */
export const runInRequestContext = <Result>(request: RequestContext, work: () => Result): Result =>
  requestContextStorage.run(request, work);

/**
 * Returns the context of the current request, or undefined when the code does not run on behalf of a request.
 */
export const findRequestContext = (): RequestContext | undefined => requestContextStorage.getStore();

/** The session of a signed-in person. Calls that require a session pass it to their handlers. */
export interface Session {
  userId: string;
  sessionId: string;
  /** When the access token expires. */
  expiresAt: Date;
}

/** The session of somebody who may use the console, with their role. */
export interface ConsoleSession extends Session {
  role: ConsoleRole;
}

/** Returns the active session of an access token, or undefined when the token is no longer valid. */
export type SessionVerifier = (accessToken: string) => Promise<Session | undefined>;

/**
 * The browser that sent a request, identified by a random id in a cookie. The id alone grants nothing; it matters only
 * once an account has recorded it as a known device.
 */
export interface RequestDevice {
  /** SHA-256 of the device id, or undefined when the request has no device cookie. */
  readonly hash: Buffer | undefined;
  /** Browser and operating system from the User-Agent header, such as "Chrome on Android". */
  readonly name: string;
  /**
   * Sets the cookie again to extend its lifetime, with a new id if the request had none. Returns the hash of the id.
   */
  keep(): Buffer;
  /** Gives the browser a new id. Returns the hash of the new id. */
  renew(): Buffer;
}

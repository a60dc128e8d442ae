import { AsyncLocalStorage } from 'node:async_hooks';

/** The current request, available anywhere in its asynchronous call tree. */
export interface RequestContext {
  id: string;
  /** The client's address, taken from forwarded headers only when the proxy is trusted. */
  address: string;
  /** The account of the caller; undefined where nobody is signed in. */
  userId?: string | undefined;
}

const current = new AsyncLocalStorage<RequestContext>();

/** Runs a function in the context of a request. */
export const withinRequest = <Result>(request: RequestContext, work: () => Result): Result =>
  current.run(request, work);

/** Returns the current request; undefined outside of one. */
export const findRequest = (): RequestContext | undefined => current.getStore();

/** A signed-in person, as guarded handlers receive it. */
export interface Session {
  userId: string;
  sessionId: string;
  /** When the access token expires. */
  expiresAt: Date;
}

/** Returns the active session of an access token, or undefined when the token is no longer valid. */
export type Authenticate = (accessToken: string) => Promise<Session | undefined>;

/** The browser behind a request, by the random id in its cookie. An id proves nothing until an account knows it. */
export interface RequestDevice {
  /** SHA-256 of the id; undefined when the request has none. */
  readonly hash: Buffer | undefined;
  /** Extends the cookie's lifetime or sets a first id. Returns the hash of the id. */
  keep(): Buffer;
  /** Replaces the browser's id. Returns the hash of the new id. */
  renew(): Buffer;
}

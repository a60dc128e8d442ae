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

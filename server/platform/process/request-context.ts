import { AsyncLocalStorage } from 'node:async_hooks';

/** What is known of the request that is being answered, wherever its answer is made. */
export interface RequestContext {
  id: string;
  /** The client's address, as far as the proxies before us are trusted. */
  address: string;
  /** The account of the caller; undefined where nobody is signed in. */
  userId?: string | undefined;
}

const current = new AsyncLocalStorage<RequestContext>();

/** Runs what follows as part of a request. */
export const withinRequest = <Result>(request: RequestContext, work: () => Result): Result =>
  current.run(request, work);

/** The request this is part of; undefined outside of any. */
export const findRequest = (): RequestContext | undefined => current.getStore();

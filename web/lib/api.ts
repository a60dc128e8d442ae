import type { CallInput, CallOutput, CallShape } from '#contract/calls.ts';
import { toApiError, unavailableError } from './api-error.ts';
import { getAccessToken, getSessionView, renewAccessToken } from './session.ts';

export { ApiError } from './api-error.ts';

/** Timeout of a call in milliseconds. */
const callTimeoutMs = 30_000;

type CallParts = Record<string, unknown> | undefined;

/** Returns the relative URL of a call, with path parameters and query filled in and encoded. */
export const callUrl = (path: string, params: CallParts, query: CallParts): string => {
  const pathWithParams = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params?.[name])),
  );
  const definedEntries = Object.entries(query ?? {}).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  const queryText = new URLSearchParams(
    definedEntries.map(([name, value]) => [name, String(value)]),
  ).toString();
  return queryText ? `${pathWithParams}?${queryText}` : pathWithParams;
};

const authorizationHeader = (token: string | undefined): Record<string, string> =>
  token ? { authorization: `Bearer ${token}` } : {};

/**
 * Fetches with the access token of the current session, if any. If the server rejects the token, renews it and retries
 * once.
 */
export const fetchSignedIn = async (address: string, init: RequestInit = {}): Promise<Response> => {
  const send = (token: string | undefined) =>
    fetch(address, { ...init, headers: { ...init.headers, ...authorizationHeader(token) } });
  const token = await getAccessToken();
  const response = await send(token);
  if (response.status !== 401) return response;
  if (!token) {
    // The person is signed in, but the token cannot be renewed at the moment. They must not appear signed out.
    if (getSessionView().session) throw unavailableError();
    return response;
  }
  const renewed = await renewAccessToken();
  return renewed ? send(renewed) : response;
};

/**
 * Makes an API call that is declared in the contract, with the current session, if any. Returns the response body.
 * Throws an ApiError when the server refuses it or the network fails, and the signal's reason when it is aborted.
 */
export const request = async <C extends CallShape>(
  call: C,
  input: CallInput<C> & { signal?: AbortSignal | undefined },
): Promise<CallOutput<C>> => {
  const { params, query, body, signal } = input as {
    params?: CallParts;
    query?: CallParts;
    body?: CallParts;
    signal?: AbortSignal;
  };
  const timeoutSignal = AbortSignal.timeout(callTimeoutMs);

  let status = 0;
  let ok = false;
  let responseBody: unknown;
  try {
    const response = await fetchSignedIn(callUrl(call.path, params, query), {
      method: call.method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      signal: signal ? AbortSignal.any([signal, timeoutSignal]) : timeoutSignal,
    });
    ({ status, ok } = response);
    responseBody = await response.json();
  } catch (reason) {
    signal?.throwIfAborted();
    throw reason instanceof TypeError || reason instanceof DOMException || reason instanceof SyntaxError
      ? unavailableError(status)
      : reason;
  }
  if (!ok) throw toApiError(status, responseBody);
  return responseBody as CallOutput<C>;
};

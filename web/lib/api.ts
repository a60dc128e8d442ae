import type { CallInput, CallOutput, CallShape } from '#contract/calls.ts';
import { toApiError, unavailableError } from './api-error.ts';
import { getAccessToken, getSessionView, renewAccessToken } from './session.ts';

export { ApiError } from './api-error.ts';

/** Timeout of a call in milliseconds. */
const callTimeoutMs = 30_000;

type CallParts = Record<string, unknown> | undefined;

/** Returns the URL of a call: its path with the parameters filled in, and its query. */
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

/** Fetches with the current session, if any. A token that the server rejects is renewed once. */
export const fetchSignedIn = async (address: string, init: RequestInit = {}): Promise<Response> => {
  const send = (token: string | undefined) =>
    fetch(address, { ...init, headers: { ...init.headers, ...authorizationHeader(token) } });
  const token = await getAccessToken();
  const response = await send(token);
  if (response.status !== 401) return response;
  if (!token) {
    // Signed in, but the token cannot be renewed at the moment, which is not the same as being signed out.
    if (getSessionView().session) throw unavailableError();
    return response;
  }
  const renewed = await renewAccessToken();
  return renewed ? send(renewed) : response;
};

/**
 * Makes a call of the call table with the current session, if any.
 * Throws an ApiError for a refusal or a network failure, and the signal's reason when it is aborted.
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

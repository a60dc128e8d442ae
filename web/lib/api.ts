import type { CallInput, CallOutput, CallShape } from '#contract/calls.ts';
import { errorOf, unreachable } from './api-error.ts';
import { getAccessToken, renewAccessToken, sessionNow } from './session.ts';

export { ApiError } from './api-error.ts';

/** Timeout of a call in milliseconds. */
const timeoutMs = 30_000;

type Parts = Record<string, unknown> | undefined;

/** Returns the URL of a call: its path with the parameters filled in, and its query. */
export const callAddress = (path: string, params: Parts, query: Parts): string => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params?.[name])));
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text ? `${filled}?${text}` : filled;
};

const bearer = (token: string | undefined): Record<string, string> =>
  token ? { authorization: `Bearer ${token}` } : {};

/** Fetches with the current session, if any. A token that the server rejects is renewed once. */
export const fetchSignedIn = async (address: string, init: RequestInit = {}): Promise<Response> => {
  const send = (token: string | undefined) =>
    fetch(address, { ...init, headers: { ...init.headers, ...bearer(token) } });
  const token = await getAccessToken();
  const response = await send(token);
  if (response.status !== 401) return response;
  if (!token) {
    // Signed in, but the token cannot be renewed at the moment, which is not the same as being signed out.
    if (sessionNow().session) throw unreachable();
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
    params?: Parts;
    query?: Parts;
    body?: Parts;
    signal?: AbortSignal;
  };
  const timeLimit = AbortSignal.timeout(timeoutMs);

  let status = 0;
  let ok = false;
  let answer: unknown;
  try {
    const response = await fetchSignedIn(callAddress(call.path, params, query), {
      method: call.method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      signal: signal ? AbortSignal.any([signal, timeLimit]) : timeLimit,
    });
    ({ status, ok } = response);
    answer = await response.json();
  } catch (reason) {
    signal?.throwIfAborted();
    throw reason instanceof TypeError || reason instanceof DOMException || reason instanceof SyntaxError
      ? unreachable(status)
      : reason;
  }
  if (!ok) throw errorOf(status, answer);
  return answer as CallOutput<C>;
};

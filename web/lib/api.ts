import type { CallDeclaration, CallInput, CallOutput } from '#contract/calls/declare-call.ts';
import { createUnavailableError, toApiError } from './api-error.ts';
import { getAccessToken, getSessionSnapshot, renewAccessToken } from './session.ts';

export { ApiError } from './api-error.ts';

/** Timeout of a call in milliseconds. */
const callTimeoutMs = 30_000;

type CallValues = Record<string, unknown> | undefined;

/** Returns the relative URL of a call, with path parameters and query filled in and encoded. */
export const buildCallUrl = (path: string, params: CallValues, query: CallValues): string => {
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

const toAuthorizationHeader = (token: string | undefined): Record<string, string> =>
  token ? { authorization: `Bearer ${token}` } : {};

/**
 * Fetches with the access token of the current session, if any. If the server rejects the token, renews it and retries
 * once.
 */
export const fetchWithSession = async (address: string, init: RequestInit = {}): Promise<Response> => {
  const send = (token: string | undefined) =>
    fetch(address, { ...init, headers: { ...init.headers, ...toAuthorizationHeader(token) } });
  const token = await getAccessToken();
  const response = await send(token);
  if (response.status !== 401) return response;
  if (!token) {
    // The token cannot be renewed at the moment, but the session may still be valid. Returning the
    // 401 would make the person appear signed out.
    if (getSessionSnapshot().session) throw createUnavailableError();
    return response;
  }
  const renewed = await renewAccessToken();
  return renewed ? send(renewed) : response;
};

/** Returns a signal that is aborted with the first of these. `AbortSignal.any` is newer than our oldest browsers. */
const combineSignals = (...signals: readonly AbortSignal[]): AbortSignal => {
  const controller = new AbortController();
  const { signal } = controller;
  for (const source of signals) {
    if (source.aborted) controller.abort(source.reason);
    else source.addEventListener('abort', () => controller.abort(source.reason), { once: true, signal });
  }
  return signal;
};

/**
 * Makes an API call that is declared in the contract, with the current session, if any. Returns the response
 * body. Throws an ApiError if the server refuses the call or the network fails. If `signal` is aborted,
 * throws the signal's reason.
 */
export const request = async <C extends CallDeclaration>(
  call: C,
  input: CallInput<C> & { signal?: AbortSignal | undefined },
): Promise<CallOutput<C>> => {
  const { params, query, body, signal } = input as {
    params?: CallValues;
    query?: CallValues;
    body?: CallValues;
    signal?: AbortSignal;
  };
  const timeoutSignal = AbortSignal.timeout(callTimeoutMs);

  let status = 0;
  let ok = false;
  let responseBody: unknown;
  try {
    const response = await fetchWithSession(buildCallUrl(call.path, params, query), {
      method: call.method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      signal: signal ? combineSignals(signal, timeoutSignal) : timeoutSignal,
    });
    ({ status, ok } = response);
    responseBody = await response.json();
  } catch (reason) {
    signal?.throwIfAborted();
    throw reason instanceof TypeError || reason instanceof DOMException || reason instanceof SyntaxError
      ? createUnavailableError(status)
      : reason;
  }
  if (!ok) throw toApiError(status, responseBody);
  return responseBody as CallOutput<C>;
};

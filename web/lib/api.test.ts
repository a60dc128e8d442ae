import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { calls } from '#contract/calls.ts';
import { ApiError, buildCallUrl, request } from './api.ts';

const sessionMock = vi.hoisted(() => ({
  getAccessToken: vi.fn<() => Promise<string | undefined>>(),
  renewAccessToken: vi.fn<() => Promise<string | undefined>>(),
  getSessionSnapshot: vi.fn<() => { session: object | null }>(),
}));
vi.mock('./session.ts', () => sessionMock);

const fetchMock = vi.fn<typeof fetch>();
const createJsonResponse = (status: number, body: object) => Response.json(body, { status });
const listSentTokens = () =>
  fetchMock.mock.calls.map(([, init]) => new Headers(init?.headers).get('authorization'));

beforeEach(() => {
  vi.stubGlobal('fetch', fetchMock);
  sessionMock.getAccessToken.mockResolvedValue(undefined);
  sessionMock.getSessionSnapshot.mockReturnValue({ session: null });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

const getRejection = (promise: Promise<unknown>): Promise<ApiError> =>
  promise.then(
    () => Promise.reject(new Error('it should have failed')),
    (reason) => reason,
  );

test('encodes parameters and query in the URL and omits undefined values', () => {
  expect(buildCallUrl('/rest/v1/listings/{slug}', { slug: 'a/b?c' }, undefined)).toBe(
    '/rest/v1/listings/a%2Fb%3Fc',
  );
  expect(buildCallUrl('/rest/v1/listings', undefined, { q: 'oak & ash', sort: undefined, limit: 8 })).toBe(
    '/rest/v1/listings?q=oak+%26+ash&limit=8',
  );
});

test('reports a 401 as unavailable while a session is stored but has no token', async () => {
  sessionMock.getSessionSnapshot.mockReturnValue({ session: {} });
  fetchMock.mockResolvedValue(
    createJsonResponse(401, { error: 'Not authenticated', code: 'not_authenticated' }),
  );
  expect(await getRejection(request(calls.getMe, {}))).toMatchObject({ status: 0, code: 'unavailable' });
});

test('sends the body as JSON with the access token', async () => {
  sessionMock.getAccessToken.mockResolvedValue('token-1');
  fetchMock.mockResolvedValue(createJsonResponse(200, { success: true }));
  await request(calls.sendOtp, { body: { email: 'a@usc.edu' } });
  const [address, init] = fetchMock.mock.calls[0] ?? [];
  expect(address).toBe('/functions/v1/send-otp');
  expect(init).toMatchObject({ method: 'POST', body: '{"email":"a@usc.edu"}' });
  expect(listSentTokens()).toEqual(['Bearer token-1']);
});

test('renews a rejected token once and repeats the call', async () => {
  sessionMock.getAccessToken.mockResolvedValue('old');
  sessionMock.renewAccessToken.mockResolvedValue('new');
  const refused = () => createJsonResponse(401, { error: 'Not authenticated', code: 'not_authenticated' });
  fetchMock.mockResolvedValueOnce(refused()).mockResolvedValueOnce(createJsonResponse(200, { id: 'me' }));
  expect(await request(calls.getMe, {})).toEqual({ id: 'me' });
  expect(listSentTokens()).toEqual(['Bearer old', 'Bearer new']);

  fetchMock.mockImplementation(async () => refused());
  expect(await getRejection(request(calls.getMe, {}))).toMatchObject({
    status: 401,
    code: 'not_authenticated',
  });
  expect(fetchMock).toHaveBeenCalledTimes(4);
});

test('does not repeat a refused call without a session', async () => {
  fetchMock.mockResolvedValue(
    createJsonResponse(401, { error: 'Not authenticated', code: 'not_authenticated' }),
  );
  await getRejection(request(calls.getMe, {}));
  expect(fetchMock).toHaveBeenCalledTimes(1);
  expect(sessionMock.renewAccessToken).not.toHaveBeenCalled();
});

test('throws an ApiError with the message, code and fields of the response', async () => {
  const fields = { title: 'Title must be at least 10 characters' };
  fetchMock.mockResolvedValue(
    createJsonResponse(400, { error: fields.title, code: 'validation_failed', fields }),
  );
  const error = await getRejection(request(calls.sendOtp, { body: { email: '' } }));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 400, code: 'validation_failed', message: fields.title, fields });
});

test('reports a lost connection and an HTML error response as unavailable', async () => {
  const sentence = 'Service unavailable, please retry shortly.';
  fetchMock.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  expect(await getRejection(request(calls.getMe, {}))).toMatchObject({
    code: 'unavailable',
    message: sentence,
    status: 0,
  });
  fetchMock.mockResolvedValueOnce(new Response('<h1>Bad gateway</h1>', { status: 502 }));
  expect(await getRejection(request(calls.getMe, {}))).toMatchObject({
    code: 'unavailable',
    message: sentence,
    status: 502,
  });
});

test('throws the abort reason when the signal is aborted', async () => {
  const control = new AbortController();
  const reason = new Error('left the screen');
  control.abort(reason);
  fetchMock.mockRejectedValue(new DOMException('aborted', 'AbortError'));
  expect(await getRejection(request(calls.getMe, { signal: control.signal }))).toBe(reason);
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { calls } from '#contract/calls.ts';
import { ApiError, callUrl, request } from './api.ts';

const session = vi.hoisted(() => ({
  getAccessToken: vi.fn<() => Promise<string | undefined>>(),
  renewAccessToken: vi.fn<() => Promise<string | undefined>>(),
  getSessionView: vi.fn<() => { session: object | null }>(),
}));
vi.mock('./session.ts', () => session);

const fetchMock = vi.fn<typeof fetch>();
const jsonResponse = (status: number, body: object) => Response.json(body, { status });
const sentTokens = () =>
  fetchMock.mock.calls.map(([, init]) => new Headers(init?.headers).get('authorization'));

beforeEach(() => {
  vi.stubGlobal('fetch', fetchMock);
  session.getAccessToken.mockResolvedValue(undefined);
  session.getSessionView.mockReturnValue({ session: null });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

const rejectionOf = (promise: Promise<unknown>): Promise<ApiError> =>
  promise.then(
    () => Promise.reject(new Error('it should have failed')),
    (reason) => reason,
  );

test('encodes parameters and query in the URL and omits undefined values', () => {
  expect(callUrl('/rest/v1/listings/{slug}', { slug: 'a/b?c' }, undefined)).toBe(
    '/rest/v1/listings/a%2Fb%3Fc',
  );
  expect(callUrl('/rest/v1/listings', undefined, { q: 'oak & ash', sort: undefined, limit: 8 })).toBe(
    '/rest/v1/listings?q=oak+%26+ash&limit=8',
  );
});

test('reports a 401 as unavailable while a session is stored but has no token', async () => {
  session.getSessionView.mockReturnValue({ session: {} });
  fetchMock.mockResolvedValue(jsonResponse(401, { error: 'Not authenticated', code: 'not_authenticated' }));
  expect(await rejectionOf(request(calls.getMe, {}))).toMatchObject({ status: 0, code: 'unavailable' });
});

test('sends the body as JSON with the access token', async () => {
  session.getAccessToken.mockResolvedValue('token-1');
  fetchMock.mockResolvedValue(jsonResponse(200, { success: true }));
  await request(calls.sendOtp, { body: { email: 'a@usc.edu' } });
  const [address, init] = fetchMock.mock.calls[0] ?? [];
  expect(address).toBe('/functions/v1/send-otp');
  expect(init).toMatchObject({ method: 'POST', body: '{"email":"a@usc.edu"}' });
  expect(sentTokens()).toEqual(['Bearer token-1']);
});

test('renews a rejected token once and repeats the call', async () => {
  session.getAccessToken.mockResolvedValue('old');
  session.renewAccessToken.mockResolvedValue('new');
  const refused = () => jsonResponse(401, { error: 'Not authenticated', code: 'not_authenticated' });
  fetchMock.mockResolvedValueOnce(refused()).mockResolvedValueOnce(jsonResponse(200, { id: 'me' }));
  expect(await request(calls.getMe, {})).toEqual({ id: 'me' });
  expect(sentTokens()).toEqual(['Bearer old', 'Bearer new']);

  fetchMock.mockImplementation(async () => refused());
  expect(await rejectionOf(request(calls.getMe, {}))).toMatchObject({
    status: 401,
    code: 'not_authenticated',
  });
  expect(fetchMock).toHaveBeenCalledTimes(4);
});

test('does not repeat a refused call without a session', async () => {
  fetchMock.mockResolvedValue(jsonResponse(401, { error: 'Not authenticated', code: 'not_authenticated' }));
  await rejectionOf(request(calls.getMe, {}));
  expect(fetchMock).toHaveBeenCalledTimes(1);
  expect(session.renewAccessToken).not.toHaveBeenCalled();
});

test('throws an ApiError with the message, code and fields of the response', async () => {
  const fields = { title: 'Title must be at least 10 characters' };
  fetchMock.mockResolvedValue(jsonResponse(400, { error: fields.title, code: 'validation_failed', fields }));
  const error = await rejectionOf(request(calls.sendOtp, { body: { email: '' } }));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 400, code: 'validation_failed', message: fields.title, fields });
});

test('reports a lost connection and a response that is not ours as unavailable', async () => {
  const sentence = 'Service unavailable, please retry shortly.';
  fetchMock.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  expect(await rejectionOf(request(calls.getMe, {}))).toMatchObject({
    code: 'unavailable',
    message: sentence,
    status: 0,
  });
  fetchMock.mockResolvedValueOnce(new Response('<h1>Bad gateway</h1>', { status: 502 }));
  expect(await rejectionOf(request(calls.getMe, {}))).toMatchObject({
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
  expect(await rejectionOf(request(calls.getMe, { signal: control.signal }))).toBe(reason);
});

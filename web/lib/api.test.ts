import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { calls } from '#contract/calls.ts';
import { ApiError, callAddress, request } from './api.ts';

const session = vi.hoisted(() => ({
  getAccessToken: vi.fn<() => Promise<string | undefined>>(),
  renewAccessToken: vi.fn<() => Promise<string | undefined>>(),
  sessionNow: vi.fn<() => { session: object | null }>(),
}));
vi.mock('./session.ts', () => session);

const send = vi.fn<typeof fetch>();
const answer = (status: number, body: object) => Response.json(body, { status });
const tokens = () => send.mock.calls.map(([, init]) => new Headers(init?.headers).get('authorization'));

beforeEach(() => {
  vi.stubGlobal('fetch', send);
  session.getAccessToken.mockResolvedValue(undefined);
  session.sessionNow.mockReturnValue({ session: null });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

const failure = (promise: Promise<unknown>): Promise<ApiError> =>
  promise.then(
    () => Promise.reject(new Error('it should have failed')),
    (reason) => reason,
  );

test('encodes parameters and query in the URL and omits undefined values', () => {
  expect(callAddress('/rest/v1/listings/{slug}', { slug: 'a/b?c' }, undefined)).toBe(
    '/rest/v1/listings/a%2Fb%3Fc',
  );
  expect(callAddress('/rest/v1/listings', undefined, { q: 'oak & ash', sort: undefined, limit: 8 })).toBe(
    '/rest/v1/listings?q=oak+%26+ash&limit=8',
  );
});

test('reports a 401 as unavailable while a session is stored but has no token', async () => {
  session.sessionNow.mockReturnValue({ session: {} });
  send.mockResolvedValue(answer(401, { error: 'Not authenticated', code: 'not_authenticated' }));
  expect(await failure(request(calls.getMe, {}))).toMatchObject({ status: 0, code: 'unavailable' });
});

test('sends the body as JSON with the access token', async () => {
  session.getAccessToken.mockResolvedValue('token-1');
  send.mockResolvedValue(answer(200, { success: true }));
  await request(calls.sendOtp, { body: { email: 'a@usc.edu' } });
  const [address, init] = send.mock.calls[0] ?? [];
  expect(address).toBe('/functions/v1/send-otp');
  expect(init).toMatchObject({ method: 'POST', body: '{"email":"a@usc.edu"}' });
  expect(tokens()).toEqual(['Bearer token-1']);
});

test('renews a rejected token once and repeats the call', async () => {
  session.getAccessToken.mockResolvedValue('old');
  session.renewAccessToken.mockResolvedValue('new');
  const refused = () => answer(401, { error: 'Not authenticated', code: 'not_authenticated' });
  send.mockResolvedValueOnce(refused()).mockResolvedValueOnce(answer(200, { id: 'me' }));
  expect(await request(calls.getMe, {})).toEqual({ id: 'me' });
  expect(tokens()).toEqual(['Bearer old', 'Bearer new']);

  send.mockImplementation(async () => refused());
  expect(await failure(request(calls.getMe, {}))).toMatchObject({ status: 401, code: 'not_authenticated' });
  expect(send).toHaveBeenCalledTimes(4);
});

test('does not repeat a refused call without a session', async () => {
  send.mockResolvedValue(answer(401, { error: 'Not authenticated', code: 'not_authenticated' }));
  await failure(request(calls.getMe, {}));
  expect(send).toHaveBeenCalledTimes(1);
  expect(session.renewAccessToken).not.toHaveBeenCalled();
});

test('throws a refusal with its message, code and fields', async () => {
  const fields = { title: 'Title must be at least 10 characters' };
  send.mockResolvedValue(answer(400, { error: fields.title, code: 'validation_failed', fields }));
  const error = await failure(request(calls.sendOtp, { body: { email: '' } }));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 400, code: 'validation_failed', message: fields.title, fields });
});

test('reports a lost connection and a foreign response as unavailable', async () => {
  const sentence = 'Service unavailable, please retry shortly.';
  send.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  expect(await failure(request(calls.getMe, {}))).toMatchObject({
    code: 'unavailable',
    message: sentence,
    status: 0,
  });
  send.mockResolvedValueOnce(new Response('<h1>Bad gateway</h1>', { status: 502 }));
  expect(await failure(request(calls.getMe, {}))).toMatchObject({
    code: 'unavailable',
    message: sentence,
    status: 502,
  });
});

test('throws the reason of an aborted signal', async () => {
  const control = new AbortController();
  const reason = new Error('left the screen');
  control.abort(reason);
  send.mockRejectedValue(new DOMException('aborted', 'AbortError'));
  expect(await failure(request(calls.getMe, { signal: control.signal }))).toBe(reason);
});

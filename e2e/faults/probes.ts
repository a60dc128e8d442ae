import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import type { TestConversation } from '../chaos/test-conversations.ts';
import type { QuadServer } from '../support/quad-server.ts';

/**
 * The outcome of a request. `what` is the test's name for the request, and `type` is the content type of the
 * response.
 */
export interface ProbeResult {
  what: string;
  status: number;
  body: string;
  /** Time from the request to the end of the response, in ms. */
  ms: number;
  type: string;
}

/** Sends a request and returns its outcome. Never throws: status 0 stands for a refused or dropped connection. */
export const sendProbe = async (
  quad: QuadServer,
  what: string,
  path: string,
  init: RequestInit = {},
): Promise<ProbeResult> => {
  const begun = performance.now();
  const createAnswer = (status: number, body: string, type = ''): ProbeResult => ({
    what,
    status,
    body,
    type,
    ms: Math.round(performance.now() - begun),
  });
  try {
    const answer = await fetch(`${quad.url}${path}`, { ...init, signal: AbortSignal.timeout(30_000) });
    return createAnswer(answer.status, await answer.text(), answer.headers.get('content-type') ?? '');
  } catch (error) {
    return createAnswer(0, String((error as Error).cause ?? error));
  }
};

export const createPostRequest = (body: object, token?: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
  body: JSON.stringify(body),
});

/** Creates a square JPEG of random pixels, which do not compress; `side` is in pixels. */
export const createNoiseJpeg = async (side: number): Promise<Buffer> => {
  const pixels = randomBytes(side * side * 3);
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer();
};
const smallPhoto = await createNoiseJpeg(16);

export const createUploadRequest = (token: string, photo: Buffer = smallPhoto): RequestInit => {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), 'desk.jpg');
  return { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form };
};

/** Concurrently sends one request of every kind that needs the database, including pages that are not cached yet. */
export const sendAllProbes = (
  quad: QuadServer,
  talk: TestConversation,
  turn: number,
): Promise<ProbeResult[]> => {
  const [{ token }] = talk.parties;
  const signedIn = { headers: { authorization: `Bearer ${token}` } };
  const email = `new-${turn}@usc.edu`;
  const talkPath = `/rest/v1/conversations/${talk.conversationId}/messages`;
  return Promise.all([
    sendProbe(quad, 'page', `/search?q=unseen-${turn}`),
    sendProbe(quad, 'page of a listing', `/listing/unseen-${turn}`),
    sendProbe(quad, 'list', '/rest/v1/listings?limit=24'),
    sendProbe(quad, 'search', `/rest/v1/listings?q=desk-${turn}`),
    sendProbe(quad, 'inbox', '/rest/v1/conversations', signedIn),
    sendProbe(quad, 'messages', talkPath, signedIn),
    sendProbe(
      quad,
      'sending',
      talkPath,
      createPostRequest({ client_id: randomUUID(), message_text: 'Still there?' }, token),
    ),
    sendProbe(
      quad,
      'sign-up',
      '/functions/v1/signup',
      createPostRequest({ email, password: 'word-and-1234', fullName: 'New' }),
    ),
    sendProbe(
      quad,
      'log-in',
      '/functions/v1/login-password',
      createPostRequest({ email, password: 'word-and-1234' }),
    ),
    sendProbe(
      quad,
      'refresh',
      '/auth/v1/token?grant_type=refresh_token',
      createPostRequest({ refresh_token: randomUUID() }),
    ),
    sendProbe(quad, 'user', '/auth/v1/user', signedIn),
    sendProbe(quad, 'upload', '/storage/v1/object/listing-photos', createUploadRequest(token)),
  ]);
};

export const fetchReadinessStatus = async (quad: QuadServer): Promise<number> =>
  (await sendProbe(quad, 'readyz', '/readyz')).status;

/** Waits until a condition is true; returns the elapsed ms. Throws after the timeout. */
export const waitForCondition = async (
  holds: () => Promise<boolean> | boolean,
  timeoutMs: number,
): Promise<number> => {
  const begun = performance.now();
  while (!(await holds())) {
    if (performance.now() - begun > timeoutMs) throw new Error(`Not within ${timeoutMs} ms`);
    await delay(50);
  }
  return Math.round(performance.now() - begun);
};

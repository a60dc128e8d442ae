import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { errorCatalog } from '#contract/errors.ts';
import { describeUploadFailure, scaleDownToLimit, toJpegFilename, uploadFile } from './photo-upload.ts';

const sessionMock = vi.hoisted(() => ({
  getAccessToken: vi.fn<() => Promise<string | undefined>>(),
  renewAccessToken: vi.fn<() => Promise<string | undefined>>(),
  getSessionSnapshot: vi.fn<() => { session: object | null }>(),
}));
vi.mock('./session.ts', () => sessionMock);

class FakeRequest {
  static sent: FakeRequest[] = [];
  status = 0;
  response: unknown = null;
  authorization: string | undefined;
  upload: { onprogress?: (event: object) => void; onload?: () => void } = {};
  onload?: () => void;
  onabort?: () => void;
  onloadend?: () => void;
  open() {}
  setRequestHeader(_name: string, value: string) {
    this.authorization = value;
  }
  send() {
    FakeRequest.sent.push(this);
  }
  abort() {
    this.onabort?.();
    this.onloadend?.();
  }
  respond(status: number, response: unknown) {
    Object.assign(this, { status, response });
    this.onload?.();
    this.onloadend?.();
  }
  progress(loaded: number) {
    this.upload.onprogress?.({ lengthComputable: true, loaded, total: 100 });
  }
}

const listSentTokens = () => FakeRequest.sent.map(({ authorization }) => authorization);
const refusal = { error: 'Not authenticated', code: 'not_authenticated' };
const publicPath = '/storage/v1/object/public/avatars/a.jpg';
const stored = { path: 'a.jpg', publicUrl: `https://quad.example${publicPath}` };
const startUpload = (signal = new AbortController().signal) => {
  const upload = uploadFile({ bucket: 'avatars', file: new File([], 'a.jpg'), onProgress: vi.fn(), signal });
  upload.catch(() => {});
  return upload;
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  FakeRequest.sent = [];
  sessionMock.getAccessToken.mockResolvedValue('old');
  sessionMock.renewAccessToken.mockResolvedValue('new');
  sessionMock.getSessionSnapshot.mockReturnValue({ session: {} });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

test('renews a rejected token once and repeats the upload', async () => {
  const upload = startUpload();
  await vi.advanceTimersByTimeAsync(0);
  FakeRequest.sent[0]?.respond(401, refusal);
  await vi.advanceTimersByTimeAsync(0);
  FakeRequest.sent[1]?.respond(200, stored);
  expect(await upload).toBe(publicPath);
  expect(listSentTokens()).toEqual(['Bearer old', 'Bearer new']);

  const refused = startUpload();
  await vi.advanceTimersByTimeAsync(0);
  FakeRequest.sent[2]?.respond(401, refusal);
  await vi.advanceTimersByTimeAsync(0);
  FakeRequest.sent[3]?.respond(401, refusal);
  await expect(refused).rejects.toThrow('Not authenticated');
  expect(FakeRequest.sent).toHaveLength(4);
});

test('an upload without a token is sent only when nobody is signed in', async () => {
  sessionMock.getAccessToken.mockResolvedValue(undefined);
  await expect(startUpload()).rejects.toThrow(errorCatalog.photo_unreadable.sentence);
  expect(FakeRequest.sent).toEqual([]);

  sessionMock.getSessionSnapshot.mockReturnValue({ session: null });
  const upload = startUpload();
  await vi.advanceTimersByTimeAsync(0);
  FakeRequest.sent[0]?.respond(401, refusal);
  await expect(upload).rejects.toThrow('Not authenticated');
  expect(listSentTokens()).toEqual([undefined]);
});

test.each([
  [422, { error: 'Images can have at most 50 megapixels', code: 'photo_too_many_pixels' }, 'the reason'],
  [500, { error: 'Something went wrong. Please try again.', code: 'internal' }, 'no reason'],
  [503, { error: 'Service unavailable, please retry shortly.', code: 'unavailable' }, 'no reason'],
  [502, '<html>', 'no reason'],
])('a response of %i with the body %j tells %3$s', async (status, body, told) => {
  const failure = startUpload().catch(describeUploadFailure);
  await vi.advanceTimersByTimeAsync(0);
  FakeRequest.sent[0]?.respond(status, body);
  const reason = typeof body === 'object' && told === 'the reason' ? body.error : undefined;
  expect(await failure).toBe(reason ?? 'Failed to upload image. Please try again.');
});

test('an error of the browser is no reason to show', () => {
  const error = new DOMException('The source image could not be decoded.', 'InvalidStateError');
  expect(describeUploadFailure(error)).toBe('Failed to upload image. Please try again.');
});

test('an upload fails after a minute without progress while sending', async () => {
  const upload = startUpload();
  const failure = upload.catch((error: Error) => error.message);
  let hasEnded = false;
  void failure.then(() => {
    hasEnded = true;
  });
  for (const loaded of [40, 80, 100]) {
    await vi.advanceTimersByTimeAsync(59_000);
    FakeRequest.sent[0]?.progress(loaded);
  }
  await vi.advanceTimersByTimeAsync(59_000);
  expect(hasEnded).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(hasEnded).toBe(true);
  expect(await failure).toBe(errorCatalog.photo_unreadable.sentence);
});

test('an upload that was sent waits three minutes for the response', async () => {
  const [upload, unanswered] = [startUpload(), startUpload()];
  const failure = unanswered.catch((error: Error) => error.message);
  await vi.advanceTimersByTimeAsync(0);
  for (const { upload } of FakeRequest.sent) upload.onload?.();
  await vi.advanceTimersByTimeAsync(179_000);
  FakeRequest.sent[0]?.respond(200, stored);
  expect(await upload).toBe(publicPath);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await failure).toBe(errorCatalog.photo_unreadable.sentence);
});

test('a cancelled upload is not repeated', async () => {
  const control = new AbortController();
  const upload = startUpload(control.signal);
  await vi.advanceTimersByTimeAsync(0);
  FakeRequest.sent[0]?.respond(401, refusal);
  control.abort(new Error('cancelled'));
  await expect(upload).rejects.toThrow('cancelled');
  expect(FakeRequest.sent).toHaveLength(1);
});

test.each([
  [4000, 3000, 1600, 1200],
  [3000, 4000, 1200, 1600],
  [1600, 1600, 1600, 1600],
  [1601, 800, 1600, 800],
  [800, 600, 800, 600],
  [1, 1, 1, 1],
  [10_000, 3, 1600, 1],
])('resizes a picture of %i × %i to %i × %i', (width, height, fittedWidth, fittedHeight) => {
  expect(scaleDownToLimit(width, height)).toEqual({ width: fittedWidth, height: fittedHeight });
});

test.each([
  ['desk.png', 'desk.jpg'],
  ['IMG_0001.JPEG', 'IMG_0001.jpg'],
  ['my.old.desk.webp', 'my.old.desk.jpg'],
  ['desk', 'desk.jpg'],
  ['.png', 'photo.jpg'],
])('uploads the file %s under the name %s', (name, sent) => expect(toJpegFilename(name)).toBe(sent));

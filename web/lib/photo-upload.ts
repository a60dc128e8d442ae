import { messagePhotoUploadSchema, uploadResponseSchema } from '#contract/calls.ts';
import { type ErrorBody, type ErrorCode, errorCatalog } from '#contract/errors.ts';
import { jpegQuality, maxPhotoSidePixels, type StorageBucket, toRootRelativeUrl } from '#contract/photos.ts';
import { createUnavailableError, toApiError } from './api-error.ts';
import { getAccessToken, getSessionSnapshot, renewAccessToken } from './session.ts';

/**
 * Returns a picture's size in pixels, scaled down so that its longer side is at most `limit`; each side is at least 1.
 */
export const scaleDownToLimit = (
  width: number,
  height: number,
  limit: number = maxPhotoSidePixels,
): { width: number; height: number } => {
  const scale = Math.min(1, limit / Math.max(width, height));
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
};

/** A rectangle inside a picture, in pixels, after its EXIF rotation was applied. */
export interface PictureArea {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Returns the file name of a picture after conversion to JPEG. */
export const toJpegFilename = (name: string): string => `${name.replace(/\.[^.]*$/, '') || 'photo'}.jpg`;

const encodeJpeg = async (
  bitmap: ImageBitmap,
  part: PictureArea,
  size: { width: number; height: number },
): Promise<Blob> => {
  const drawArea = (context: OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D | null): void => {
    if (!context) throw new Error('This browser cannot draw pictures.');
    // JPEG has no transparency, so transparent areas are filled with white; the default would be black.
    context.fillStyle = '#fff';
    context.fillRect(0, 0, size.width, size.height);
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, part.x, part.y, part.width, part.height, 0, 0, size.width, size.height);
  };
  if (typeof OffscreenCanvas !== 'undefined') {
    const canvas = new OffscreenCanvas(size.width, size.height);
    drawArea(canvas.getContext('2d'));
    return canvas.convertToBlob({ type: 'image/jpeg', quality: jpegQuality });
  }
  const canvas = Object.assign(document.createElement('canvas'), size);
  drawArea(canvas.getContext('2d'));
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be encoded.'))),
      'image/jpeg',
      jpegQuality,
    );
  });
};

/**
 * Prepares a photo, or a part of it, for upload: upright, longest side at most 1600 pixels, JPEG at quality
 * 0.85 (specification §5, Photo files). Rejects when the browser cannot decode the photo.
 */
export const resizeImage = async (
  file: File,
  { part, limit = maxPhotoSidePixels }: { part?: PictureArea; limit?: number } = {},
): Promise<File> => {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
  try {
    const sourceArea = part ?? { x: 0, y: 0, width: bitmap.width, height: bitmap.height };
    const jpeg = await encodeJpeg(
      bitmap,
      sourceArea,
      scaleDownToLimit(sourceArea.width, sourceArea.height, limit),
    );
    return new File([jpeg], toJpegFilename(file.name), { type: 'image/jpeg' });
  } finally {
    bitmap.close();
  }
};

const jpegStart = [0xff, 0xd8, 0xff];
const pictureStarts = [jpegStart, [0x89, 0x50, 0x4e, 0x47], [0x52, 0x49, 0x46, 0x46]];

const startsWith = (bytes: Uint8Array, start: readonly number[]): boolean =>
  start.every((byte, at) => bytes[at] === byte);

/** Returns the position of the last JPEG marker of this kind, or -1. */
const findLastMarker = (bytes: Uint8Array, kind: number): number => {
  let at = bytes.length;
  do at = bytes.lastIndexOf(kind, at - 1);
  while (at > 0 && bytes[at - 1] !== 0xff);
  return at;
};

/**
 * Prepares a photo for upload like `resizeImage`. Returns the file itself if it is a JPEG, PNG or WebP image that the
 * browser cannot decode, or a JPEG image without end: the server decodes more of them, and can tell whether a part of the
 * picture is missing, which browsers show in gray.
 */
export const prepareImage = async (file: File): Promise<File> => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (startsWith(bytes, jpegStart) && findLastMarker(bytes, 0xda) > findLastMarker(bytes, 0xd9)) return file;
  return resizeImage(file).catch((reason: unknown) => {
    if (pictureStarts.some((start) => startsWith(bytes, start))) return file;
    throw reason;
  });
};

/** The error of a refused or interrupted upload; its message is shown to the person. */
class UploadError extends Error {}

const unknownReasonMessage = errorCatalog.photo_unreadable.sentence;

/** Errors that do not say why the upload failed. */
const codesWithoutReason: readonly unknown[] = ['internal', 'unavailable'] satisfies ErrorCode[];

const errorMessageFromBody = (body: unknown): string => {
  const { error, code } = (body ?? {}) as Partial<ErrorBody>;
  return typeof error === 'string' && !codesWithoutReason.includes(code) ? error : unknownReasonMessage;
};

/** Returns the message to show for anything that `uploadFile` threw. */
export const describeUploadFailure = (reason: unknown): string =>
  reason instanceof UploadError ? reason.message : unknownReasonMessage;

export interface UploadOptions {
  bucket: StorageBucket;
  file: File;
  /** Called with the progress in percent. */
  onProgress: (percent: number) => void;
  signal: AbortSignal;
}

/** Time in milliseconds without progress while sending after which an upload fails. */
const stallTimeoutMs = 60_000;
/**
 * Time in milliseconds to wait for the response once the file has been sent. It is longer, because the server may have
 * to process other pictures first.
 */
const responseTimeoutMs = 180_000;

/** Sends an upload and resolves once a response has arrived. Uses XMLHttpRequest, because `fetch` reports no upload progress. */
const sendFile = (
  { bucket, file, onProgress, signal }: UploadOptions,
  token: string | undefined,
): Promise<XMLHttpRequest> => {
  const form = new FormData();
  form.append('file', file, file.name);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = () => reject(new UploadError(errorMessageFromBody(null)));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const restartTimer = (timeoutMs: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        fail();
        request.abort();
      }, timeoutMs);
    };
    request.open('POST', `/storage/v1/object/${bucket}`);
    request.responseType = 'json';
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`);
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      restartTimer(stallTimeoutMs);
      if (lengthComputable) onProgress(Math.round((loaded / total) * 100));
    };
    request.upload.onload = () => restartTimer(responseTimeoutMs);
    request.onload = () => resolve(request);
    request.onerror = fail;
    request.onabort = () => reject(signal.reason);
    request.onloadend = () => clearTimeout(timer);
    signal.addEventListener('abort', () => request.abort(), { once: true });
    restartTimer(stallTimeoutMs);
    request.send(form);
  });
};

/** Throws if there is no token although the session may still be valid, because it cannot be renewed at the moment. */
const assertTokenOfSession = (token: string | undefined): void => {
  if (!token && getSessionSnapshot().session) throw new UploadError(errorMessageFromBody(null));
};

/**
 * Uploads a file and returns the response. If the server rejects the access token, renews it and retries once. Rejects
 * with a message for the person when the upload is interrupted or stalls.
 */
const requestUpload = async (options: UploadOptions): Promise<XMLHttpRequest> => {
  const send = (token: string | undefined): Promise<XMLHttpRequest> => {
    options.signal.throwIfAborted();
    assertTokenOfSession(token);
    return sendFile(options, token);
  };
  const token = await getAccessToken();
  let request = await send(token);
  if (request.status === 401 && token) {
    const renewed = await renewAccessToken();
    if (renewed || getSessionSnapshot().session) request = await send(renewed);
  }
  return request;
};

/**
 * Uploads a file to a bucket and returns its root-relative URL. Rejects with a message for the person when the upload is
 * refused, is interrupted or stalls.
 */
export const uploadFile = async (options: UploadOptions): Promise<string> => {
  const request = await requestUpload(options);
  const stored = uploadResponseSchema.safeParse(request.response);
  if (request.status >= 300 || !stored.success) {
    throw new UploadError(errorMessageFromBody(request.response));
  }
  return toRootRelativeUrl(stored.data.publicUrl);
};

/**
 * Uploads a photo for a message and returns its id. Rejects with an ApiError, as calls do, or with the reason of the signal
 * when that aborts.
 */
export const uploadMessagePhoto = async (options: Omit<UploadOptions, 'bucket'>): Promise<string> => {
  const request = await requestUpload({ ...options, bucket: 'message-photos' }).catch((reason: unknown) => {
    throw reason instanceof UploadError ? createUnavailableError() : reason;
  });
  const stored = messagePhotoUploadSchema.safeParse(request.response);
  if (request.status >= 300 || !stored.success) throw toApiError(request.status, request.response);
  return stored.data.id;
};

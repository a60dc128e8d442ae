import { uploadResponseSchema } from '#contract/calls.ts';
import { defaultCampus } from '#contract/campus.ts';
import { type ErrorBody, formatErrorMessage } from '#contract/errors.ts';
import { type Bucket, toRootRelativeUrl } from '#contract/photos.ts';
import { getAccessToken } from './session.ts';

/** Creates the error of a refused or interrupted upload; its message is shown to the person. */
const createUploadError = (sentence: string): Error => new Error(sentence);

const errorMessageFromBody = (body: unknown): string => {
  const { error } = (body ?? {}) as Partial<ErrorBody>;
  return typeof error === 'string' ? error : formatErrorMessage('photo_unreadable', defaultCampus);
};

export interface UploadOptions {
  bucket: Bucket;
  file: File;
  /** Called with the progress in percent. */
  onProgress: (percent: number) => void;
  signal: AbortSignal;
}

/**
 * Uploads a file to a bucket and returns its root-relative URL. Uses XMLHttpRequest, because `fetch` reports no upload
 * progress.
 */
export const uploadFile = async ({ bucket, file, onProgress, signal }: UploadOptions): Promise<string> => {
  const token = await getAccessToken();
  signal.throwIfAborted();
  const form = new FormData();
  form.append('file', file, file.name);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/storage/v1/object/${bucket}`);
    request.responseType = 'json';
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`);
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable) onProgress(Math.round((loaded / total) * 100));
    };
    request.onload = () => {
      const stored = uploadResponseSchema.safeParse(request.response);
      if (request.status < 300 && stored.success) resolve(toRootRelativeUrl(stored.data.publicUrl));
      else reject(createUploadError(errorMessageFromBody(request.response)));
    };
    request.onerror = () => reject(createUploadError(errorMessageFromBody(null)));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
};

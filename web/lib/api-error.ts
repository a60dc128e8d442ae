import { type ErrorBody, type ErrorCode, errorCatalog } from '#contract/errors.ts';

/**
 * The error of an API call that the server refused, or that got no response or an unusable one. In the
 * latter two cases, the code is `unavailable`; without any response, the status is 0.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly fields: Record<string, string> | undefined;
  /** Number of seconds until another code can be requested, when a code was requested moments ago. */
  readonly resendAfter: number | undefined;
  /** The whole response body; some errors contain additional data. */
  readonly body: object;

  constructor(status: number, body: ErrorBody) {
    super(body.error);
    this.name = 'ApiError';
    this.status = status;
    this.code = body.code;
    this.fields = body.fields;
    this.resendAfter = body.resend_after;
    this.body = body;
  }
}

/**
 * Returns the error for a missing or unusable response: no connection, a timeout, or a body that is not from our
 * server.
 */
export const createUnavailableError = (status = 0): ApiError =>
  new ApiError(status, { error: errorCatalog.unavailable.sentence, code: 'unavailable' });

/** Returns the error that the server would return for this code, when the browser knows it without a call. */
export const createProblemError = (code: 'message_photo_gone'): ApiError =>
  new ApiError(errorCatalog[code].status, { error: errorCatalog[code].sentence, code });

/** Converts the body of an unsuccessful response to an ApiError. */
export const toApiError = (status: number, body: unknown): ApiError => {
  const { error, code } = (body ?? {}) as Partial<ErrorBody>;
  if (typeof error !== 'string' || typeof code !== 'string') return createUnavailableError(status);
  return new ApiError(status, body as ErrorBody);
};

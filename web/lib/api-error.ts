import { type ErrorBody, type ErrorCode, errorCatalogue } from '#contract/errors.ts';

/** A call that was refused, or that failed to reach the server (code `unavailable`, status 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly fields: Record<string, string> | undefined;

  constructor(status: number, body: ErrorBody) {
    super(body.error);
    this.name = 'ApiError';
    this.status = status;
    this.code = body.code;
    this.fields = body.fields;
  }
}

/** The error for no usable response: no connection, a timeout, or a response that is not ours. */
export const unavailableError = (status = 0): ApiError =>
  new ApiError(status, { error: errorCatalogue.unavailable.sentence, code: 'unavailable' });

/** Returns the error in an unsuccessful response. */
export const toApiError = (status: number, body: unknown): ApiError => {
  const { error, code, fields } = (body ?? {}) as Partial<ErrorBody>;
  if (typeof error !== 'string' || typeof code !== 'string') return unavailableError(status);
  return new ApiError(status, { error, code, ...(fields ? { fields } : {}) });
};

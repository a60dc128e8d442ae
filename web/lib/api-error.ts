import { type ErrorBody, type ErrorCode, errorCatalogue } from '#contract/errors.ts';

/** The error of a call that the server refused or that did not reach it (code `unavailable`, status 0). */
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

/**
 * Returns the error for a missing or unusable response: no connection, a timeout, or a body that is not from our
 * server.
 */
export const unavailableError = (status = 0): ApiError =>
  new ApiError(status, { error: errorCatalogue.unavailable.sentence, code: 'unavailable' });

/** Converts the body of an unsuccessful response to an ApiError. */
export const toApiError = (status: number, body: unknown): ApiError => {
  const { error, code, fields } = (body ?? {}) as Partial<ErrorBody>;
  if (typeof error !== 'string' || typeof code !== 'string') return unavailableError(status);
  return new ApiError(status, { error, code, ...(fields ? { fields } : {}) });
};

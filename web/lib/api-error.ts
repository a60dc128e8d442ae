import { type ErrorBody, type ErrorCode, errorCatalogue } from '#contract/errors.ts';

/** A call that was refused, or that could not be made at all (code `unavailable`, status 0). */
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

/** Nothing came back: no connection, no answer in time, or an answer that is none of ours. */
export const unreachable = (status = 0): ApiError =>
  new ApiError(status, { error: errorCatalogue.unavailable.sentence, code: 'unavailable' });

/** The refusal in an answer that is not a success. */
export const errorOf = (status: number, body: unknown): ApiError => {
  const { error, code, fields } = (body ?? {}) as Partial<ErrorBody>;
  if (typeof error !== 'string' || typeof code !== 'string') return unreachable(status);
  return new ApiError(status, { error, code, ...(fields ? { fields } : {}) });
};

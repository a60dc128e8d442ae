import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Campus } from '#contract/campus.ts';
import {
  type ErrorBody,
  type ErrorCode,
  errorCatalog,
  formatProblemMessage,
  Problem,
} from '#contract/errors.ts';
import { isStoreUnavailable } from '#server/platform/files/files.ts';
import {
  isForeignKeyViolation,
  isUnavailableError,
  isUnstorableTextError,
} from '#server/platform/postgres/database.ts';

const codesByFrameworkError: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_request',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_request',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_BAD_URL: 'malformed_request',
  FST_ERR_ASYNC_CONSTRAINT: 'malformed_request',
  FST_ERR_HANDLER_TIMEOUT: 'unavailable',
};

/**
 * Matches the names of foreign keys to an account. A violation of such a key means that the account was
 * deleted while the row was being written.
 */
const accountForeignKeyPattern = /_(user|owner|sender|buyer|seller|reporter)_id_fkey$/;

const toErrorCode = (error: FastifyError): ErrorCode => {
  const known = codesByFrameworkError[error.code];
  if (known) return known;
  if (isUnavailableError(error) || isStoreUnavailable(error)) return 'unavailable';
  if (isUnstorableTextError(error)) return 'malformed_request';
  if (isForeignKeyViolation(error, accountForeignKeyPattern)) return 'not_authenticated';
  return error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
    ? 'malformed_request'
    : 'internal';
};

/**
 * Converts any error to a Problem, whether a service threw it, the framework raised it, or it is an internal failure.
 */
export const toProblem = (error: unknown): Problem => {
  if (error instanceof Problem) return error;
  const code = toErrorCode(error as FastifyError);
  return new Problem(code, code === 'unavailable' ? { retryAfter: 2 } : {});
};

const toErrorBody = (failure: Problem, campus: Campus): ErrorBody => ({
  error: formatProblemMessage(failure, campus),
  code: failure.code,
  ...(failure.fields ? { fields: failure.fields } : {}),
  ...(failure.deal ? { deal: failure.deal } : {}),
  ...(failure.resendAfter === undefined ? {} : { resend_after: failure.resendAfter }),
});

/** Sends a Problem as a JSON response in the error format of docs/architecture.md. */
export const sendProblem = (reply: FastifyReply, failure: Problem, campus: Campus): FastifyReply => {
  if (failure.retryAfter !== undefined) reply.header('retry-after', String(failure.retryAfter));
  return reply
    .code(errorCatalog[failure.code].status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(toErrorBody(failure, campus));
};

/** Makes every route of `app` respond to errors in the error format; logs only internal failures as errors. */
export const installErrorHandler = (server: FastifyInstance, campus: Campus): void => {
  server.setErrorHandler((error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const failure = toProblem(error);
    if (failure.code === 'internal') request.log.error({ err: error }, 'request failed');
    else if (failure.code === 'unavailable') request.log.warn({ err: error }, 'request could not be served');
    return sendProblem(reply, failure, campus);
  });
};

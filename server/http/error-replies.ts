import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Campus } from '#contract/campus.ts';
import {
  type ErrorBody,
  type ErrorCode,
  errorCatalogue,
  Problem,
  problemSentence,
} from '#contract/errors.ts';
import { isStoreUnavailable } from '#server/platform/files/files.ts';
import { isReferenceViolation, isUnavailable, isUnstorableText } from '#server/platform/postgres/database.ts';

const ofFramework: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_request',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_request',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_BAD_URL: 'malformed_request',
  FST_ERR_ASYNC_CONSTRAINT: 'malformed_request',
  FST_ERR_HANDLER_TIMEOUT: 'unavailable',
};

/** Foreign keys to the owner: violating one means that the account was deleted while the row was being written. */
const ofPerson = /_(user|owner|sender|buyer|seller)_id_fkey$/;

const codeOf = (error: FastifyError): ErrorCode => {
  const known = ofFramework[error.code];
  if (known) return known;
  if (isUnavailable(error) || isStoreUnavailable(error)) return 'unavailable';
  if (isUnstorableText(error)) return 'malformed_request';
  if (isReferenceViolation(error, ofPerson)) return 'not_authenticated';
  return error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
    ? 'malformed_request'
    : 'internal';
};

/** Returns the problem for any error: thrown by a service, raised by the framework, or internal. */
export const toProblem = (error: unknown): Problem => {
  if (error instanceof Problem) return error;
  const code = codeOf(error as FastifyError);
  return new Problem(code, code === 'unavailable' ? { retryAfter: 2 } : {});
};

const body = (refusal: Problem, campus: Campus): ErrorBody => ({
  error: problemSentence(refusal, campus),
  code: refusal.code,
  ...(refusal.fields ? { fields: refusal.fields } : {}),
});

/** Responds in the error format of docs/architecture.md. */
export const replyProblem = (reply: FastifyReply, refusal: Problem, campus: Campus): FastifyReply => {
  if (refusal.retryAfter !== undefined) reply.header('retry-after', String(refusal.retryAfter));
  return reply
    .code(errorCatalogue[refusal.code].status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(body(refusal, campus));
};

/** Makes every route of `app` respond to errors in the error format; logs only internal failures as errors. */
export const installErrorReplies = (app: FastifyInstance, campus: Campus): void => {
  app.setErrorHandler((error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = toProblem(error);
    if (refusal.code === 'internal') request.log.error({ err: error }, 'request failed');
    else if (refusal.code === 'unavailable') request.log.warn({ err: error }, 'request could not be served');
    return replyProblem(reply, refusal, campus);
  });
};

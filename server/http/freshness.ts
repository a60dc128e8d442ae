import type { FastifyRequest } from 'fastify';
import fresh from 'fresh';

/**
 * Returns whether the client already has the response with this ETag, so that 304 suffices (RFC 9110, 13.1.2: weak
 * comparison). Other conditional headers are ignored.
 */
export const isUnchanged = ({ headers }: FastifyRequest, etag: string): boolean =>
  fresh({ 'if-none-match': headers['if-none-match']?.trim() }, { etag });

import type { FastifyRequest } from 'fastify';
import fresh from 'fresh';

/**
 * Returns whether the client already has the response with this ETag, so that the server can
 * respond with 304. Compares ETags weakly (RFC 9110, section 13.1.2) and ignores other conditional
 * headers.
 */
export const isNotModified = ({ headers }: FastifyRequest, etag: string): boolean =>
  fresh({ 'if-none-match': headers['if-none-match']?.trim() }, { etag });

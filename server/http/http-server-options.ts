import type { Campus } from '#contract/campus.ts';
import { createClientErrorHandler } from './client-errors.ts';

/** Timeouts for receiving a request from a client, in ms. */
export interface ClientTimeouts {
  /**
   * Maximum time until a request's headers are complete, counted from the start of the connection
   * or from its previous response.
   */
  headers: number;
  /**
   * Maximum time until a request's body is complete, counted from the start of the connection or
   * from its previous response. Uploads have a slightly shorter timeout, so that they can send
   * their own error response.
   */
  request: number;
  /** Interval at which the server checks connections for exceeded timeouts. */
  check: number;
}

const defaultTimeouts: ClientTimeouts = { headers: 15_000, request: 60_000, check: 5_000 };
/** Maximum size of the request line and headers in bytes; an access token takes less than 1 KiB. */
const maxHeaderBytes = 16 * 1024;

/** Maximum body size of JSON calls, in bytes: enough for 4,000 characters in their longest escaped form. */
export const maxJsonBodyBytes = 64 * 1024;
/**
 * Maximum body size of account calls, in bytes; they contain only an email address, a password and
 * a name.
 */
export const maxCredentialBodyBytes = 16 * 1024;

/**
 * Returns Fastify options for receiving requests: timeouts, size limits, and a response to malformed input in the error
 * format, without details of the parser.
 */
export const buildHttpServerOptions = (campus: Campus, times: ClientTimeouts = defaultTimeouts) =>
  ({
    bodyLimit: maxJsonBodyBytes,
    requestTimeout: times.request,
    http: {
      headersTimeout: times.headers,
      connectionsCheckingInterval: times.check,
      maxHeaderSize: maxHeaderBytes,
      requireHostHeader: true,
      insecureHTTPParser: false,
    },
    clientErrorHandler: createClientErrorHandler(campus),
  }) as const;

import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Campus } from '#contract/campus.ts';
import { type ErrorCode, errorCatalogue, errorSentence } from '#contract/errors.ts';

/** Timeouts for clients, in ms. */
export interface WireTimes {
  /** From the start of a connection (or its last response) to the end of a request's headers. */
  headers: number;
  /** To the end of a request's body. Uploads time out slightly earlier, with their own response. */
  request: number;
  /** Interval of the timeout check. */
  check: number;
}

const timeouts: WireTimes = { headers: 15_000, request: 60_000, check: 5_000 };
/** Maximum size of the request line and headers in bytes; a token takes less than 1 KiB. */
const headerBytes = 16 * 1024;

/** The largest body of a JSON call, in bytes: the longest escaped form of 4,000 characters. */
export const jsonBytes = 64 * 1024;
/** Maximum body size of account calls, in bytes: an address, a password, a name. */
export const credentialBytes = 16 * 1024;

const ofParser: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
};

/**
 * Returns the options for input that is not yet a request: timeouts, size limits, and a response in the error format to
 * malformed input, without the parser's reasons.
 */
export const wireOptions = (campus: Campus, times: WireTimes = timeouts) =>
  ({
    bodyLimit: jsonBytes,
    requestTimeout: times.request,
    http: {
      headersTimeout: times.headers,
      connectionsCheckingInterval: times.check,
      maxHeaderSize: headerBytes,
      requireHostHeader: true,
      insecureHTTPParser: false,
    },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => {
      if (error.code === 'ECONNRESET' || socket.destroyed) return;
      const code = ofParser[error.code ?? ''] ?? 'malformed_request';
      const { status } = errorCatalogue[code];
      const body = JSON.stringify({ error: errorSentence(code, campus), code });
      if (socket.writable) {
        socket.write(
          [
            `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
            'Connection: close',
            'Cache-Control: no-store',
            'X-Content-Type-Options: nosniff',
            'Content-Type: application/json; charset=utf-8',
            `Content-Length: ${Buffer.byteLength(body)}`,
            '',
            body,
          ].join('\r\n'),
        );
      }
      socket.destroy(error);
    },
  }) as const;

import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Campus } from '#contract/campus.ts';
import { type ErrorCode, errorCatalog, formatErrorMessage } from '#contract/errors.ts';

const codesByParserError: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
};

/** The incomplete responses of each connection, more than one if the client pipelines requests. */
const openResponses = new WeakMap<Socket, Set<ServerResponse>>();

/** Records the responses of a server, so that the handler of client errors never writes into one. */
export const trackResponses = (server: Server): void => {
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const responses = openResponses.get(socket) ?? new Set();
    openResponses.set(socket, responses.add(response));
    response.once('close', () => responses.delete(response));
  });
  // Ignore an unknown expectation, as RFC 9110 (section 10.1.1) permits. Node's own 417 response would bypass the
  // handling of requests that are answered before their body has arrived.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
};

const hasStartedResponse = (socket: Socket): boolean =>
  [...(openResponses.get(socket) ?? [])].some(({ headersSent }) => headersSent);

/**
 * Creates the handler of malformed input and exceeded timeouts, which responds in the error format without details of
 * the parser and closes the connection. It only closes the connection if a response was already started.
 */
export const createClientErrorHandler =
  (campus: Campus) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const code = codesByParserError[error.code ?? ''] ?? 'malformed_request';
    const { status } = errorCatalog[code];
    const body = JSON.stringify({ error: formatErrorMessage(code, campus), code });
    if (socket.writable && !hasStartedResponse(socket)) {
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
  };

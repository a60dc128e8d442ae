import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** A reverse proxy in front of Quad that can change, drop or block responses, to simulate new versions and outages. */
export interface ReverseProxy {
  url: string;
  /** Makes the proxy transform the body of all further responses for this path. */
  change(path: string, make: (text: string) => string): void;
  /** Makes the proxy respond with 404 to all further requests for paths with this prefix. */
  respondNotFound(prefix: string): void;
  /** Makes the proxy leave requests for this path without a response until the returned function is called. */
  block(path: string): () => void;
  /** Makes the proxy close the connections of all further requests for this path without a response. */
  disconnect(path: string): void;
  close(): Promise<void>;
}

export const startReverseProxy = async (target: string): Promise<ReverseProxy> => {
  const changes = new Map<string, (text: string) => string>();
  const missingPrefixes: string[] = [];
  const blockedPaths = new Map<string, ServerResponse[]>();
  const disconnectedPaths = new Set<string>();

  const pass = (asked: IncomingMessage, reply: ServerResponse): void => {
    const path = asked.url ?? '/';
    const blocked = blockedPaths.get(path);
    if (blocked) {
      blocked.push(reply);
      return;
    }
    if (disconnectedPaths.has(path)) {
      reply.destroy();
      return;
    }
    if (missingPrefixes.some((prefix) => path.startsWith(prefix))) {
      reply.writeHead(404, { 'cache-control': 'no-store' }).end();
      return;
    }
    const change = changes.get(path);
    const headers = { ...asked.headers, ...(change ? { 'accept-encoding': 'identity' } : {}) };
    const passed = request(`${target}${path}`, { method: asked.method, headers }, (answer) => {
      if (!change) {
        reply.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(reply);
        return;
      }
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const { 'content-length': _, etag: __, ...rest } = answer.headers;
        reply.writeHead(answer.statusCode ?? 502, rest).end(change(Buffer.concat(chunks).toString('utf8')));
      });
    });
    passed.on('error', () => reply.destroy());
    asked.pipe(passed);
  };

  const server = createServer(pass).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('The front does not listen');
  return {
    url: `http://localhost:${address.port}`,
    change: (path, make) => void changes.set(path, make),
    respondNotFound: (prefix) => void missingPrefixes.push(prefix),
    block: (path) => {
      const blocked: ServerResponse[] = [];
      blockedPaths.set(path, blocked);
      return () => {
        blockedPaths.delete(path);
        for (const reply of blocked) reply.destroy();
      };
    },
    disconnect: (path) => void disconnectedPaths.add(path),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** A reverse proxy that changes Quad's responses, as a later version or a bad connection would. */
export interface ReverseProxy {
  url: string;
  /** Changes the text of a path's responses. */
  change(path: string, make: (text: string) => string): void;
  /** Responds with 404 to every path with this prefix. */
  lose(prefix: string): void;
  /** Never responds to requests for this path. */
  hold(path: string): void;
  close(): Promise<void>;
}

export const startReverseProxy = async (target: string): Promise<ReverseProxy> => {
  const changes = new Map<string, (text: string) => string>();
  const lost: string[] = [];
  const held = new Set<string>();

  const pass = (asked: IncomingMessage, reply: ServerResponse): void => {
    const path = asked.url ?? '/';
    if (held.has(path)) return;
    if (lost.some((prefix) => path.startsWith(prefix))) {
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
    lose: (prefix) => void lost.push(prefix),
    hold: (path) => void held.add(path),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

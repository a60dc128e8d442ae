/** Baseline server for `bench/pages.ts`: fetches Quad's compressed pages once, then sends the same bytes from memory. */
import { createServer, get } from 'node:http';

const [source = '', ...paths] = process.argv.slice(2);
const headersPerConnection = ['date', 'connection', 'keep-alive'];

const pages = new Map<string, { head: string[]; body: Buffer }>();
for (const path of paths) {
  const { promise, resolve, reject } = Promise.withResolvers<{ head: string[]; body: Buffer }>();
  // Uses `get`, because `fetch` would decompress the page.
  get(source + path, { headers: { 'accept-encoding': 'br' } }, async (response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    const headers = Object.entries(response.headers).filter(([name]) => !headersPerConnection.includes(name));
    resolve({ head: headers.flat() as string[], body: Buffer.concat(chunks) });
  }).on('error', reject);
  pages.set(path, await promise);
}

createServer((request, response) => {
  const page = pages.get(request.url ?? '');
  if (page) response.writeHead(200, page.head).end(page.body);
  else response.writeHead(404).end();
}).listen(Number(process.env.PORT), '127.0.0.1');

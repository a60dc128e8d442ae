/** Baseline server for `bench/pages.ts`: fetches Quad's compressed pages once, then sends the same bytes from memory. */
import { createServer, get } from 'node:http';

const [source = '', ...paths] = process.argv.slice(2);
const excludedHeaders = ['date', 'connection', 'keep-alive'];

const responseByPath = new Map<string, { head: string[]; body: Buffer }>();
for (const path of paths) {
  const { promise, resolve, reject } = Promise.withResolvers<{ head: string[]; body: Buffer }>();
  // Use `get` of node:http, because `fetch` would decompress the response.
  get(source + path, { headers: { 'accept-encoding': 'br' } }, async (response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    const headers = Object.entries(response.headers).filter(([name]) => !excludedHeaders.includes(name));
    resolve({ head: headers.flat() as string[], body: Buffer.concat(chunks) });
  }).on('error', reject);
  responseByPath.set(path, await promise);
}

createServer((request, response) => {
  const page = responseByPath.get(request.url ?? '');
  if (page) response.writeHead(200, page.head).end(page.body);
  else response.writeHead(404).end();
}).listen(Number(process.env.PORT), '127.0.0.1');

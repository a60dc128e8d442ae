/** The limit of `bench/reads.ts`: a server that sends the rows of the same statements, and has nothing else to do. */
import { createServer } from 'node:http';
import { openDatabase } from '#server/platform/database.ts';
import type { RecordedRead } from './recorded-reads.ts';

const [databaseUrl = '', recorded = '{}'] = process.argv.slice(2);
const sql = openDatabase(databaseUrl);
const reads = JSON.parse(recorded) as Record<string, RecordedRead>;

createServer(async (request, response) => {
  const read = reads[request.url ?? ''];
  if (!read) {
    response.writeHead(request.url === '/' ? 200 : 404).end();
    return;
  }
  const rows = await sql.unsafe(read.statement, read.parameters as never[], { prepare: true });
  const body = JSON.stringify(rows);
  response
    .writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
    .end(body);
}).listen(Number(process.env.PORT), '127.0.0.1');

/**
 * Baseline server for `bench/sends.ts`: stores messages with the fastest SQL that keeps Quad's
 * guarantees (consecutive `seq` values, one message per client id). Like Quad, it also updates the
 * sender's read position and the columns that trigger email notifications.
 */
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { openDatabase } from '#server/platform/postgres/database.ts';

const [databaseUrl = '', userId = ''] = process.argv.slice(2);
const sql = openDatabase(databaseUrl);

const storeMessage = (id: string, clientId: string, text: string) =>
  sql<{ body: string }[]>`
    WITH c AS (
      UPDATE conversations SET last_seq = last_seq + 1, updated_at = now(), buyer_read_seq = last_seq + 1,
        buyer_seen_at = now(), seller_waiting_since = coalesce(seller_waiting_since, now()),
        seller_waiting_from = coalesce(seller_waiting_from, last_seq + 1)
      WHERE id = ${id} AND buyer_id = ${userId} AND seller_id IS NOT NULL
      RETURNING id, last_seq
    ), m AS (
      INSERT INTO messages (conversation_id, seq, sender_id, client_id, message_text, created_at)
      SELECT id, last_seq, ${userId}, ${clientId}, ${text}, now() FROM c RETURNING *
    )
    SELECT row_to_json(m)::text AS body FROM m`;

createServer(async (request, response) => {
  const [, id] = /conversations\/([^/]+)/.exec(request.url ?? '') ?? [];
  if (!id) {
    response.writeHead(200).end();
    return;
  }
  const { client_id, message_text } = (await json(request)) as { client_id: string; message_text: string };
  const [row] = await storeMessage(id, client_id, message_text);
  const body = row?.body ?? 'null';
  response
    .writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
    .end(body);
}).listen(Number(process.env.PORT), '127.0.0.1');

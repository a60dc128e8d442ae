/** The limit of `bench/sends.ts`: a server that stores messages by the statement of ours, and has nothing else to do. */
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { insertMessage } from '#server/conversations/message-repository.ts';
import { openDatabase } from '#server/platform/database.ts';

const [databaseUrl = '', userId = ''] = process.argv.slice(2);
const sql = openDatabase(databaseUrl);

createServer(async (request, response) => {
  const [, id] = /conversations\/([^/]+)/.exec(request.url ?? '') ?? [];
  if (!id) {
    response.writeHead(200).end();
    return;
  }
  const { client_id, message_text } = (await json(request)) as { client_id: string; message_text: string };
  const message = { id, userId, clientId: client_id, text: message_text, now: new Date(), first: false };
  const stored = JSON.stringify(await insertMessage(sql, message));
  response
    .writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(stored),
    })
    .end(stored);
}).listen(Number(process.env.PORT), '127.0.0.1');

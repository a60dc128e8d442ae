/**
 * The baseline for sockets: only `node:http` and `ws`. It accepts all connections, replies to heartbeats, and forwards a
 * posted message to the other party's socket after one INSERT. Reads DATABASE_URL and PORT; prints when it is ready.
 */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { type WebSocket, WebSocketServer } from 'ws';
import { openDatabase } from '#server/platform/postgres/database.ts';

const sql = openDatabase(process.env.DATABASE_URL ?? '');
await sql`CREATE TABLE IF NOT EXISTS bare_messages
  (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, sender text NOT NULL, body text NOT NULL)`;
const people = new Map<string, WebSocket>();
const response = (request: string): string => {
  const [joinRef, ref, topic] = JSON.parse(request);
  return JSON.stringify([joinRef, ref, topic, 'phx_reply', { status: 'ok', response: {} }]);
};

const server = createServer(async (request, response) => {
  const { from, to, client_id, message_text } = JSON.parse(await text(request));
  const [row] =
    await sql`INSERT INTO bare_messages (sender, body) VALUES (${from}, ${message_text}) RETURNING id`;
  people.get(to)?.send(JSON.stringify([null, null, 'bare', 'message', { ...row, client_id, message_text }]));
  response.end('{}');
});
const sockets = new WebSocketServer({ server, perMessageDeflate: false, clientTracking: false });
sockets.on('connection', (socket, { url = '' }) => {
  const id = new URL(url, 'http://bare').searchParams.get('person') ?? '';
  people.set(id, socket);
  socket.on('message', (data) => socket.send(response(data.toString())));
  socket.on('close', () => people.get(id) === socket && people.delete(id));
});

process.on('SIGTERM', () => {
  for (const socket of people.values()) socket.close(1001);
  setTimeout(() => process.exit(0), 500);
});
server.listen(Number(process.env.PORT), '127.0.0.1', 4096, () => process.stdout.write('bare is ready at\n'));

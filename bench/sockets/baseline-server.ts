/**
 * Baseline server for `bench/sockets.ts`, built on `node:http` and `ws` only. It accepts all connections,
 * replies to heartbeats, and forwards each posted message to the other party's socket after one INSERT. Reads
 * the environment variables QUAD_DATABASE_URL and PORT; prints a line when it is ready.
 */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { type WebSocket, WebSocketServer } from 'ws';
import { openDatabase } from '#server/platform/postgres/database.ts';

const sql = openDatabase(process.env.QUAD_DATABASE_URL ?? '');
await sql`CREATE TABLE IF NOT EXISTS bare_messages
  (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, sender text NOT NULL, body text NOT NULL)`;
const socketsByPerson = new Map<string, WebSocket>();
const createOkReply = (request: string): string => {
  const [joinRef, ref, topic] = JSON.parse(request);
  return JSON.stringify([joinRef, ref, topic, 'phx_reply', { status: 'ok', response: {} }]);
};

const server = createServer(async (request, response) => {
  const { from, to, client_id, message_text } = JSON.parse(await text(request));
  const [row] =
    await sql`INSERT INTO bare_messages (sender, body) VALUES (${from}, ${message_text}) RETURNING id`;
  socketsByPerson
    .get(to)
    ?.send(JSON.stringify([null, null, 'bare', 'message', { ...row, client_id, message_text }]));
  response.end('{}');
});
const socketServer = new WebSocketServer({ server, perMessageDeflate: false, clientTracking: false });
socketServer.on('connection', (socket, { url = '' }) => {
  const id = new URL(url, 'http://bare').searchParams.get('person') ?? '';
  socketsByPerson.set(id, socket);
  socket.on('message', (data) => socket.send(createOkReply(data.toString())));
  socket.on('close', () => socketsByPerson.get(id) === socket && socketsByPerson.delete(id));
});

process.on('SIGTERM', () => {
  for (const socket of socketsByPerson.values()) socket.close(1001);
  setTimeout(() => process.exit(0), 500);
});
server.listen(Number(process.env.PORT), '127.0.0.1', 4096, () => process.stdout.write('bare is ready at\n'));

import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from './quad.ts';

/** A proxy for a mail server on a fixed port, which can forward, hang, or refuse connections. */
export interface MailProxy {
  url: string;
  /** Number of connections opened while hanging. */
  hanging(): number;
  /** Refuses new connections and drops open ones. */
  cut(): Promise<void>;
  /** Accepts connections and never responds. */
  hang(): Promise<void>;
  /** Forwards to the mail server at this URL. */
  lead(to: string): Promise<void>;
}

export const openMailProxy = async (): Promise<MailProxy> => {
  const port = await freePort();
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  let hanging = 0;

  const cut = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    const closing = server;
    server = undefined;
    if (!closing) return;
    closing.close();
    await once(closing, 'close');
  };
  const listen = async (answer: (socket: Socket) => void): Promise<void> => {
    await cut();
    hanging = 0;
    server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
      answer(socket);
    }).listen(port, '127.0.0.1');
    await once(server, 'listening');
  };

  return {
    url: `smtp://127.0.0.1:${port}`,
    hanging: () => hanging,
    cut,
    hang: () =>
      listen(() => {
        hanging += 1;
      }),
    lead: (to) =>
      listen((socket) => {
        const there = connect(Number(new URL(to).port), '127.0.0.1');
        sockets.add(there);
        there.on('error', () => socket.destroy()).on('close', () => sockets.delete(there));
        socket.on('close', () => there.destroy());
        socket.pipe(there).pipe(socket);
      }),
  };
};

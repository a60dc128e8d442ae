import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { getFreePort } from './quad-server.ts';

/**
 * A proxy in front of a mail server, on a fixed port. It forwards connections, refuses them, or
 * accepts them without responding.
 */
export interface MailProxy {
  url: string;
  /** Returns the number of connections accepted since `hang` was called. */
  hanging(): number;
  cut(): Promise<void>;
  /** Closes all open connections. Then accepts new ones but never responds. */
  hang(): Promise<void>;
  /** Closes all open connections. Then forwards new ones to the mail server at this URL. */
  forwardTo(to: string): Promise<void>;
}

export const openMailProxy = async (): Promise<MailProxy> => {
  const port = await getFreePort();
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
    forwardTo: (to) =>
      listen((socket) => {
        const there = connect(Number(new URL(to).port), '127.0.0.1');
        sockets.add(there);
        there.on('error', () => socket.destroy()).on('close', () => sockets.delete(there));
        socket.on('close', () => there.destroy());
        socket.pipe(there).pipe(socket);
      }),
  };
};

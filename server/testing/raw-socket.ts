import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type ClientOptions, WebSocket } from 'ws';
import type { ChannelFrame } from '#contract/realtime.ts';

/** A WebSocket client that can send arbitrary frames, including those that no correct client would send. */
export interface RawSocket {
  webSocket: WebSocket;
  /** All frames received so far. */
  frames: ChannelFrame[];
  /** Sends a string unchanged and any other value as JSON. */
  send(frame: unknown): void;
  /** Resolves with the first frame that matches, which may have been received before the call. */
  waitFor(matches: (frame: ChannelFrame) => boolean): Promise<ChannelFrame>;
  join(topic: string, payload: object): Promise<unknown>;
  /**
   * Sends a heartbeat and waits for its reply. All frames that the server sent before the reply have been
   * received by then.
   */
  heartbeat(): Promise<void>;
  /** Resolves with the close code when the connection is closed. */
  closed: Promise<number>;
}

export const getListeningPort = (server: Server): number => (server.address() as AddressInfo).port;

export const createWebSocketUrl = (port: number, query = 'vsn=2.0.0'): string =>
  `ws://127.0.0.1:${port}/realtime/v1/websocket?${query}`;

/** Requests a WebSocket upgrade and returns the HTTP status; 101 when it succeeds. */
export const requestUpgrade = (
  url: string,
  origin?: string,
  headers: Record<string, string> = {},
): Promise<number | undefined> =>
  new Promise((done) => {
    const webSocket = new WebSocket(url, { headers, ...(origin === undefined ? {} : { origin }) });
    webSocket.on('open', () => {
      done(101);
      webSocket.terminate();
    });
    webSocket.on('unexpected-response', (_request, response) => {
      done(response.statusCode);
      response.resume();
    });
    webSocket.on('error', () => {});
  });

export const openRawSocket = async (port: number, options: ClientOptions = {}): Promise<RawSocket> => {
  const webSocket = new WebSocket(createWebSocketUrl(port), options);
  const frames: ChannelFrame[] = [];
  let ref = 0;
  let waiters: (() => void)[] = [];
  webSocket.on('error', () => {});
  webSocket.on('message', (data) => {
    frames.push(JSON.parse(String(data)));
    const notified = waiters;
    waiters = [];
    for (const notify of notified) notify();
  });
  const closed = new Promise<number>((done) => {
    webSocket.on('close', done);
  });
  await once(webSocket, 'open');

  const send = (frame: unknown) => webSocket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  const waitFor: RawSocket['waitFor'] = async (matches) => {
    for (;;) {
      const found = frames.find(matches);
      if (found) return found;
      await new Promise<void>((done) => waiters.push(done));
    }
  };
  const request = async (topic: string, event: string, payload: object): Promise<unknown> => {
    ref += 1;
    const requestRef = String(ref);
    send([event === 'heartbeat' ? null : requestRef, requestRef, topic, event, payload]);
    const reply = await waitFor((frame) => frame[1] === requestRef);
    return reply[4];
  };
  return {
    webSocket,
    frames,
    send,
    waitFor,
    join: (topic, payload) => request(topic, 'phx_join', payload),
    heartbeat: async () => void (await request('phoenix', 'heartbeat', {})),
    closed,
  };
};

/** Writes bytes to a server and resolves with all text received until the connection closes. */
export const sendRawBytes = (port: number, bytes: string | Buffer): Promise<string> =>
  new Promise((done) => {
    const connection = connect(port, '127.0.0.1', () => connection.write(bytes));
    let received = '';
    connection.setEncoding('utf8').on('data', (text) => {
      received += text;
    });
    connection.on('error', () => {});
    connection.on('close', () => done(received));
  });

/** Returns the statuses of all responses in what a connection received. */
export const parseStatuses = (received: string): number[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type ClientOptions, WebSocket } from 'ws';
import type { Frame } from '#contract/realtime.ts';

/** A socket that speaks raw frames, for what no proper client would say. */
export interface RawSocket {
  wire: WebSocket;
  /** Everything received so far. */
  frames: Frame[];
  /** Sends anything: text as it is, all else as JSON. */
  say(frame: unknown): void;
  /** Resolves with the first frame, received or to come, that fits. */
  hear(fits: (frame: Frame) => boolean): Promise<Frame>;
  /** Joins a topic and resolves with the reply. */
  join(topic: string, payload: object): Promise<unknown>;
  /** Says something nothing waits for, and resolves when it is answered. */
  heartbeat(): Promise<void>;
  /** The code the socket is closed with. */
  closed: Promise<number>;
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

export const socketUrl = (port: number, query = 'vsn=2.0.0'): string =>
  `ws://127.0.0.1:${port}/realtime/v1/websocket?${query}`;

/** The status a wish for a socket is answered with; 101 where it is granted. */
export const upgradeStatus = (
  url: string,
  origin?: string,
  headers: Record<string, string> = {},
): Promise<number | undefined> =>
  new Promise((done) => {
    const wire = new WebSocket(url, { headers, ...(origin === undefined ? {} : { origin }) });
    wire.on('open', () => {
      done(101);
      wire.terminate();
    });
    wire.on('unexpected-response', (_request, response) => {
      done(response.statusCode);
      response.resume();
    });
    wire.on('error', () => {});
  });

export const openRaw = async (port: number, options: ClientOptions = {}): Promise<RawSocket> => {
  const wire = new WebSocket(socketUrl(port), options);
  const frames: Frame[] = [];
  let ref = 0;
  let invalidation: (() => void)[] = [];
  wire.on('error', () => {});
  wire.on('message', (data) => {
    frames.push(JSON.parse(String(data)));
    const waiting = invalidation;
    invalidation = [];
    for (const tell of waiting) tell();
  });
  const closed = new Promise<number>((done) => {
    wire.on('close', done);
  });
  await once(wire, 'open');

  const say = (frame: unknown) => wire.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  const hear: RawSocket['hear'] = async (fits) => {
    for (;;) {
      const found = frames.find(fits);
      if (found) return found;
      await new Promise<void>((done) => invalidation.push(done));
    }
  };
  const ask = async (topic: string, event: string, payload: object): Promise<unknown> => {
    ref += 1;
    const mine = String(ref);
    say([event === 'heartbeat' ? null : mine, mine, topic, event, payload]);
    const reply = await hear((frame) => frame[1] === mine);
    return reply[4];
  };
  return {
    wire,
    frames,
    say,
    hear,
    join: (topic, payload) => ask(topic, 'phx_join', payload),
    heartbeat: async () => void (await ask('phoenix', 'heartbeat', {})),
    closed,
  };
};

/** Writes bytes to a server as they are and resolves with all that comes back until the connection ends. */
export const sayBytes = (port: number, bytes: string | Buffer): Promise<string> =>
  new Promise((done) => {
    const wire = connect(port, '127.0.0.1', () => wire.write(bytes));
    let heard = '';
    wire.setEncoding('utf8').on('data', (text) => {
      heard += text;
    });
    wire.on('error', () => {});
    wire.on('close', () => done(heard));
  });

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const session = vi.hoisted(() => ({ token: 'first token', listeners: new Set<() => void>() }));
vi.mock('./session.ts', () => ({
  getAccessToken: async () => session.token,
  getSessionSnapshot: () => ({ session: { access_token: session.token } }),
  onSessionChange: (listener: () => void) => void session.listeners.add(listener),
  renewAccessToken: async () => session.token,
}));

type Frame = [joinRef: string, ref: string, topic: string, event: string, payload: Record<string, unknown>];

/** A socket whose server the test plays. */
class TestSocket extends EventTarget {
  static all: TestSocket[] = [];
  readyState = 0;
  frames: Frame[] = [];
  createdAt = Date.now();
  onopen = (): void => {};
  onclose = (_event: object): void => {};
  onmessage = (_event: { data: string }): void => {};

  constructor() {
    super();
    TestSocket.all.push(this);
  }
  send(frame: string): void {
    this.frames.push(JSON.parse(frame));
  }
  close(): void {
    this.readyState = 3;
  }
  open(): void {
    this.readyState = 1;
    this.onopen();
  }
  lose(): void {
    this.readyState = 3;
    this.onclose({ code: 1006 });
  }
  list(event: string): Frame[] {
    return this.frames.filter((frame) => frame[3] === event);
  }
  acceptJoins(): void {
    for (const [joinRef, ref, topic] of this.list('phx_join'))
      this.onmessage({
        data: JSON.stringify([joinRef, ref, topic, 'phx_reply', { status: 'ok', response: {} }]),
      });
  }
}

const renewToken = (token: string): void => {
  session.token = token;
  for (const listener of session.listeners) listener();
};
const listTokens = (socket: TestSocket, event: string) =>
  socket.list(event).map(([, , , , payload]) => payload.access_token);

let subscribeToTopic: typeof import('./socket.ts').subscribeToTopic;
beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  // The Phoenix client takes the socket from `window`.
  vi.stubGlobal('window', Object.assign(new EventTarget(), { WebSocket: TestSocket }));
  vi.stubGlobal('location', { protocol: 'https:', host: 'quad.test' });
  vi.stubGlobal('navigator', { onLine: true });
  TestSocket.all = [];
  session.listeners.clear();
  session.token = 'first token';
  ({ subscribeToTopic } = await import('./socket.ts'));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Subscribes to two topics; returns the opened socket. */
const connect = async (afterSeq = () => 1): Promise<TestSocket> => {
  subscribeToTopic('user:me', { on: {} });
  subscribeToTopic('conversation:lamp', { on: {}, afterSeq });
  await vi.advanceTimersByTimeAsync(0);
  const [socket] = TestSocket.all;
  if (!socket) throw new Error('No socket was opened');
  socket.open();
  return socket;
};

test('a token renewed while channels are joining is sent only after the joins succeed', async () => {
  const socket = await connect();
  expect(listTokens(socket, 'phx_join')).toEqual(['first token', 'first token']);
  renewToken('second token');
  expect(socket.list('access_token')).toEqual([]);
  socket.acceptJoins();
  expect(listTokens(socket, 'access_token')).toEqual(['second token', 'second token']);
});

test('a renewed token is sent to each channel once', async () => {
  const socket = await connect();
  socket.acceptJoins();
  expect(socket.list('access_token')).toEqual([]);
  renewToken('second token');
  renewToken('second token');
  expect(listTokens(socket, 'access_token')).toEqual(['second token', 'second token']);
});

test('after a lost connection channels rejoin after a second, with the newest token and the newest message', async () => {
  let seq = 1;
  const socket = await connect(() => seq);
  socket.acceptJoins();
  renewToken('second token');
  seq = 2;
  socket.lose();
  await vi.advanceTimersByTimeAsync(990);
  expect(TestSocket.all).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1000);
  const again = TestSocket.all[1];
  again?.open();
  await vi.advanceTimersByTimeAsync(3000);
  const joins = again?.list('phx_join').filter(([, , topic]) => topic === 'conversation:lamp') ?? [];
  expect(joins[0]?.[4]).toEqual({ access_token: 'second token', after_seq: 2 });
});

/**
 * Simulates some of the clients of the socket benchmark in a separate process. For each person, it runs the
 * official Phoenix client with the same settings as in the browser. The parent process sends commands over
 * the IPC channel.
 */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Channel, Socket } from 'phoenix';
import { WebSocket } from 'ws';
import {
  heartbeatIntervalSeconds,
  socketPath,
  toConversationTopic,
  toUserTopic,
} from '#contract/realtime.ts';
import { getReconnectDelayMs } from '#web/lib/reconnect.ts';
import type {
  ClientCommand,
  ClientCommandArguments,
  ErrorCounts,
  MessageDeliveryResult,
  MessageSendingPlan,
} from './client-processes.ts';
import type { Person } from './people.ts';

const connectionsPerBatch = 25;
const batchIntervalMs = 100;

interface ConnectedClient {
  person: Person;
  socket: Socket;
  channels: Channel[];
}

let connectedClients: ConnectedClient[] = [];
let errorCounts: ErrorCounts = {};
const pendingMessages = new Map<string, { at: number; to: string }>();
let deliveryTimes: number[] = [];
const deliveredMessages = new Map<string, string>();
let duplicateCount = 0;
const agentsByAddress = new Map<string, Agent>();

const countError = (what: string): void => {
  errorCounts[what] = (errorCounts[what] ?? 0) + 1;
};

const recordDelivery = (frame: string, receiver: string): void => {
  const id = /"client_id":"([^"]+)"/.exec(frame)?.[1];
  if (id !== undefined && deliveredMessages.get(id) === receiver) duplicateCount += 1;
  const sent = id === undefined ? undefined : pendingMessages.get(id);
  if (!id || sent?.to !== receiver) return;
  deliveredMessages.set(id, receiver);
  deliveryTimes.push(performance.now() - sent.at);
  pendingMessages.delete(id);
};

/**
 * Returns a WebSocket class for a person: it connects from the person's IP address, counts errors and closed
 * connections, and records the delivery of messages.
 */
const createTransportClass = ({ id, address }: Person) =>
  class extends WebSocket {
    constructor(url: string) {
      super(url, { localAddress: address, perMessageDeflate: false });
      this.on('error', ({ message, code }: Error & { code?: string }) => {
        countError(
          /Unexpected server response: \d+/.test(message) ? `status ${message.slice(-3)}` : (code ?? message),
        );
      });
      this.on('close', (code) => countError(`closed ${code}`));
      this.on('message', (data) => recordDelivery(data.toString(), id));
    }
  };

const connectClient = (
  person: Person,
  { url, baseline }: ClientCommandArguments['open'],
): ConnectedClient => {
  const socket = new Socket(`${url.replace('http', 'ws')}${socketPath}`, {
    transport: createTransportClass(person),
    heartbeatIntervalMs: heartbeatIntervalSeconds * 1000,
    reconnectAfterMs: (tries) => getReconnectDelayMs(tries),
    rejoinAfterMs: (tries) => getReconnectDelayMs(tries),
    params: { person: person.id },
  });
  const topics = baseline ? [] : [toUserTopic(person.id), toConversationTopic(person.conversation)];
  const channels = topics.map((topic) => socket.channel(topic, { access_token: person.token, after_seq: 0 }));
  socket.connect();
  for (const channel of channels) {
    channel
      .join()
      .receive('error', ({ reason }) => countError(`join refused: ${reason}`))
      .receive('timeout', () => countError('join timed out'));
  }
  return { person, socket, channels };
};

const disconnectClients = async (removed: ConnectedClient[]): Promise<void> => {
  await Promise.all(
    removed.map(({ socket }) => new Promise<void>((done) => socket.disconnect(() => done()))),
  );
};

const postMessage = (person: Person, url: string, baseline: boolean, client_id: string): Promise<number> =>
  new Promise((done) => {
    const message_text = 'Is the desk still there? I could come by tomorrow after class.';
    const body = JSON.stringify({
      ...{ client_id, message_text },
      ...(baseline ? { from: person.id, to: person.other } : {}),
    });
    let agent = agentsByAddress.get(person.address);
    if (!agent) {
      agent = new Agent({ keepAlive: true });
      agentsByAddress.set(person.address, agent);
    }
    const outgoing = request(`${url}/rest/v1/conversations/${person.conversation}/messages`, {
      method: 'POST',
      agent,
      localAddress: person.address,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        authorization: `Bearer ${person.token}`,
      },
    });
    outgoing.on('response', (response) => {
      response.resume();
      done(response.statusCode ?? 0);
    });
    outgoing.on('error', () => done(0));
    outgoing.end(body);
  });

/**
 * Sends messages at a steady rate without waiting for responses. Resolves when every message has been
 * delivered or has timed out.
 */
const sendMessages = async ({
  url,
  baseline,
  perSecond,
  seconds,
}: MessageSendingPlan): Promise<MessageDeliveryResult> => {
  deliveryTimes = [];
  duplicateCount = 0;
  pendingMessages.clear();
  deliveredMessages.clear();
  const begun = performance.now();
  const waiting: Promise<void>[] = [];
  for (let number = 0; number < perSecond * seconds; number += 1) {
    const wait = begun + (number * 1000) / perSecond - performance.now();
    if (wait > 0) await delay(wait);
    const { person } = connectedClients[(number * 7) % connectedClients.length] as ConnectedClient;
    const id = randomUUID();
    pendingMessages.set(id, { at: performance.now(), to: person.other });
    const sent = postMessage(person, url, baseline, id).then((status) => {
      if (status !== 200 && status !== 201) countError(`sending: ${status}`);
    });
    waiting.push(sent);
  }
  await Promise.all(waiting);
  for (let timeouts = 50; pendingMessages.size > 0 && timeouts > 0; timeouts -= 1) await delay(100);
  return { times: deliveryTimes, lost: pendingMessages.size, duplicated: duplicateCount };
};

const commandHandlers: {
  [Name in keyof ClientCommandArguments]: (args: ClientCommandArguments[Name]) => unknown;
} = {
  open: async (args) => {
    for (let start = 0; start < args.people.length; start += connectionsPerBatch) {
      const turn = performance.now();
      for (const person of args.people.slice(start, start + connectionsPerBatch))
        connectedClients.push(connectClient(person, args));
      await delay(Math.max(0, batchIntervalMs - (performance.now() - turn)));
    }
  },
  look: () => ({
    ready: connectedClients.filter(
      ({ socket, channels }) => socket.isConnected() && channels.every(({ state }) => state === 'joined'),
    ).length,
    errors: errorCounts,
  }),
  forget: () => {
    errorCounts = {};
  },
  keep: async (size) => {
    const removed = connectedClients.slice(size);
    connectedClients = connectedClients.slice(0, size);
    await disconnectClients(removed);
  },
  send: sendMessages,
};

process.on('message', async ({ ref, name, args }: ClientCommand) => {
  process.send?.({ ref, response: await commandHandlers[name](args as never) });
});
process.on('disconnect', () => process.exit(0));

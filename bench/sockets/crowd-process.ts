/**
 * Runs a share of the clients in its own process: for each person the official Phoenix client, configured as in the
 * browser. The parent process controls it over the IPC channel.
 */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Channel, Socket } from 'phoenix';
import { WebSocket } from 'ws';
import { conversationTopic, heartbeatSeconds, socketPath, userTopic } from '#contract/realtime.ts';
import { reconnectDelayMs } from '#web/lib/reconnect.ts';
import type { Command, CommandArguments, ErrorCounts, SendPlan, SendResult } from './crowd.ts';
import type { Person } from './people.ts';

const connectionsPerBatch = 25;
const batchIntervalMs = 100;

interface Member {
  person: Person;
  socket: Socket;
  channels: Channel[];
}

let members: Member[] = [];
let errors: ErrorCounts = {};
const pending = new Map<string, { at: number; to: string }>();
let times: number[] = [];
const delivered = new Map<string, string>();
let duplicated = 0;
const agents = new Map<string, Agent>();

const countError = (what: string): void => {
  errors[what] = (errors[what] ?? 0) + 1;
};

const recordDelivery = (frame: string, receiver: string): void => {
  const id = /"client_id":"([^"]+)"/.exec(frame)?.[1];
  if (id !== undefined && delivered.get(id) === receiver) duplicated += 1;
  const sent = id === undefined ? undefined : pending.get(id);
  if (!id || sent?.to !== receiver) return;
  delivered.set(id, receiver);
  times.push(performance.now() - sent.at);
  pending.delete(id);
};

/** Returns a WebSocket class that connects from this person's IP address and counts errors, closes and messages. */
const createTransport = ({ id, address }: Person) =>
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

const connect = (person: Person, { url, baseline }: CommandArguments['open']): Member => {
  const socket = new Socket(`${url.replace('http', 'ws')}${socketPath}`, {
    transport: createTransport(person),
    heartbeatIntervalMs: heartbeatSeconds * 1000,
    reconnectAfterMs: (tries) => reconnectDelayMs(tries),
    rejoinAfterMs: (tries) => reconnectDelayMs(tries),
    params: { person: person.id },
  });
  const topics = baseline ? [] : [userTopic(person.id), conversationTopic(person.conversation)];
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

const disconnect = async (removed: Member[]): Promise<void> => {
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
    let agent = agents.get(person.address);
    if (!agent) {
      agent = new Agent({ keepAlive: true });
      agents.set(person.address, agent);
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

/** Sends messages at a steady rate without waiting for responses; resolves when all are delivered or have timed out. */
const send = async ({ url, baseline, perSecond, seconds }: SendPlan): Promise<SendResult> => {
  times = [];
  duplicated = 0;
  pending.clear();
  delivered.clear();
  const begun = performance.now();
  const waiting: Promise<void>[] = [];
  for (let number = 0; number < perSecond * seconds; number += 1) {
    const wait = begun + (number * 1000) / perSecond - performance.now();
    if (wait > 0) await delay(wait);
    const { person } = members[(number * 7) % members.length] as Member;
    const id = randomUUID();
    pending.set(id, { at: performance.now(), to: person.other });
    const sent = postMessage(person, url, baseline, id).then((status) => {
      if (status !== 200 && status !== 201) countError(`sending: ${status}`);
    });
    waiting.push(sent);
  }
  await Promise.all(waiting);
  for (let timeouts = 50; pending.size > 0 && timeouts > 0; timeouts -= 1) await delay(100);
  return { times, lost: pending.size, duplicated };
};

const commandHandlers: { [Name in keyof CommandArguments]: (args: CommandArguments[Name]) => unknown } = {
  open: async (args) => {
    for (let start = 0; start < args.people.length; start += connectionsPerBatch) {
      const turn = performance.now();
      for (const person of args.people.slice(start, start + connectionsPerBatch))
        members.push(connect(person, args));
      await delay(Math.max(0, batchIntervalMs - (performance.now() - turn)));
    }
  },
  look: () => ({
    ready: members.filter(
      ({ socket, channels }) => socket.isConnected() && channels.every(({ state }) => state === 'joined'),
    ).length,
    errors,
  }),
  forget: () => {
    errors = {};
  },
  keep: async (size) => {
    const removed = members.slice(size);
    members = members.slice(0, size);
    await disconnect(removed);
  },
  send,
};

process.on('message', async ({ ref, name, args }: Command) => {
  process.send?.({ ref, response: await commandHandlers[name](args as never) });
});
process.on('disconnect', () => process.exit(0));

/** Runs a part of the clients: the official client for each person, as the browser uses it. Controlled by messages. */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Channel, Socket } from 'phoenix';
import { WebSocket } from 'ws';
import { conversationTopic, heartbeatSeconds, socketPath, userTopic } from '#contract/realtime.ts';
import { reconnectDelay } from '#web/lib/reconnect.ts';
import type { Command, CommandArguments, ErrorCounts, Load, Sent } from './crowd.ts';
import type { Person } from './people.ts';

const perTurn = 25;
const turnMs = 100;

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

const count = (what: string): void => {
  errors[what] = (errors[what] ?? 0) + 1;
};

const receive = (frame: string, receiver: string): void => {
  const id = /"client_id":"([^"]+)"/.exec(frame)?.[1];
  if (id !== undefined && delivered.get(id) === receiver) duplicated += 1;
  const sent = id === undefined ? undefined : pending.get(id);
  if (!id || sent?.to !== receiver) return;
  delivered.set(id, receiver);
  times.push(performance.now() - sent.at);
  pending.delete(id);
};

/** Returns the WebSocket class of one person, which connects from the person's address and counts errors. */
const transportOf = ({ id, address }: Person) =>
  class extends WebSocket {
    constructor(url: string) {
      super(url, { localAddress: address, perMessageDeflate: false });
      this.on('error', ({ message, code }: Error & { code?: string }) => {
        count(
          /Unexpected server response: \d+/.test(message) ? `status ${message.slice(-3)}` : (code ?? message),
        );
      });
      this.on('close', (code) => count(`closed ${code}`));
      this.on('message', (data) => receive(data.toString(), id));
    }
  };

const connect = (person: Person, { url, baseline }: CommandArguments['open']): Member => {
  const socket = new Socket(`${url.replace('http', 'ws')}${socketPath}`, {
    transport: transportOf(person),
    heartbeatIntervalMs: heartbeatSeconds * 1000,
    reconnectAfterMs: (tries) => reconnectDelay(tries),
    rejoinAfterMs: (tries) => reconnectDelay(tries),
    params: { person: person.id },
  });
  const topics = baseline ? [] : [userTopic(person.id), conversationTopic(person.conversation)];
  const channels = topics.map((topic) => socket.channel(topic, { access_token: person.token, after_seq: 0 }));
  socket.connect();
  for (const channel of channels) {
    channel
      .join()
      .receive('error', ({ reason }) => count(`join refused: ${reason}`))
      .receive('timeout', () => count('join timed out'));
  }
  return { person, socket, channels };
};

const disconnect = async (removed: Member[]): Promise<void> => {
  await Promise.all(
    removed.map(({ socket }) => new Promise<void>((done) => socket.disconnect(() => done()))),
  );
};

const post = (person: Person, url: string, baseline: boolean, client_id: string): Promise<number> =>
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

/** Sends at a steady rate without waiting for responses; resolves when all messages are delivered or timed out. */
const send = async ({ url, baseline, perSecond, seconds }: Load): Promise<Sent> => {
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
    const sent = post(person, url, baseline, id).then((status) => {
      if (status !== 200 && status !== 201) count(`sending: ${status}`);
    });
    waiting.push(sent);
  }
  await Promise.all(waiting);
  for (let timeouts = 50; pending.size > 0 && timeouts > 0; timeouts -= 1) await delay(100);
  return { times, lost: pending.size, duplicated };
};

const responses: { [Name in keyof CommandArguments]: (args: CommandArguments[Name]) => unknown } = {
  open: async (args) => {
    for (let start = 0; start < args.people.length; start += perTurn) {
      const turn = performance.now();
      for (const person of args.people.slice(start, start + perTurn)) members.push(connect(person, args));
      await delay(Math.max(0, turnMs - (performance.now() - turn)));
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
  process.send?.({ ref, response: await responses[name](args as never) });
});
process.on('disconnect', () => process.exit(0));

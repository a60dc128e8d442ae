import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Socket } from 'phoenix';
import type { Message } from '#contract/conversations.ts';
import type { Quad } from '../support/quad.ts';
import { call, type Student } from '../support/students.ts';
import type { Talk } from './people.ts';

/** Messages that the server has acknowledged to a writer: their texts by client id. */
export type Acknowledged = Map<string, string>;

/**
 * Sends `count` messages sequentially. Each is retried with the same client id until the server acknowledges it, even if
 * the server is killed in the meantime.
 */
export const writeMessages = async (
  quad: Quad,
  { conversationId }: Talk,
  author: Student,
  count: number,
  onAcknowledged: () => void,
): Promise<Acknowledged> => {
  const acknowledged: Acknowledged = new Map();
  for (let number = 1; number <= count; number += 1) {
    const client_id = randomUUID();
    const message_text = `${author.id} says ${number}`;
    for (;;) {
      try {
        const stored = await call<Message>(quad, `/rest/v1/conversations/${conversationId}/messages`, {
          token: author.token,
          body: { client_id, message_text },
        });
        if (stored.client_id !== client_id || stored.message_text !== message_text) {
          throw new Error(`The server answered with another message: ${JSON.stringify(stored)}`);
        }
        acknowledged.set(client_id, message_text);
        onAcknowledged();
        break;
      } catch (error) {
        if (error instanceof Error && /answered 4\d\d|another message/.test(error.message)) throw error;
        await delay(50);
      }
    }
  }
  return acknowledged;
};

export interface Reader {
  /** The received messages, in order of arrival. */
  received: Message[];
  close(): void;
}

/** Receives a conversation's messages with the official client, which sends the newest seq it knows with each join. */
export const startReader = (quad: Quad, { conversationId }: Talk, student: Student): Reader => {
  const received: Message[] = [];
  const socket = new Socket(`${quad.url.replace('http', 'ws')}/realtime/v1`, {
    transport: WebSocket,
    reconnectAfterMs: () => 200,
    rejoinAfterMs: () => 200,
  });
  const channel = socket.channel(`conversation:${conversationId}`, () => ({
    access_token: student.token,
    after_seq: received.at(-1)?.seq ?? 0,
  }));
  channel.on('message', (message: Message) => void received.push(message));
  socket.connect();
  channel.join();
  return { received, close: () => socket.disconnect() };
};

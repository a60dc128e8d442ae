import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Socket } from 'phoenix';
import type { Message } from '#contract/conversations.ts';
import { callApi, type Deployment, type Student } from '../support/students.ts';
import type { TestConversation } from './test-conversations.ts';

/**
 * The texts of a writer's messages that the server has acknowledged, keyed by the client ids of the messages.
 */
export type AcknowledgedTexts = Map<string, string>;

/**
 * Repeats a request until the server acknowledges it, even if the server is killed in the meantime; returns the response.
 * Throws when the server refuses the request.
 */
export const repeatUntilAcknowledged = async <Answer>(request: () => Promise<Answer>): Promise<Answer> => {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (error instanceof Error && /answered 4\d\d/.test(error.message)) throw error;
      await delay(50);
    }
  }
};

/**
 * Sends messages one after the other until `isDone` returns true; `isDone` gets the number of messages sent
 * so far. Each message is retried with the same client id until the server acknowledges it.
 */
export const writeMessages = async (
  quad: Deployment,
  { conversationId }: TestConversation,
  author: Student,
  isDone: (sent: number) => boolean,
  onAcknowledged: () => void | Promise<void>,
): Promise<AcknowledgedTexts> => {
  const acknowledged: AcknowledgedTexts = new Map();
  for (let number = 1; !isDone(number - 1); number += 1) {
    const client_id = randomUUID();
    const message_text = `${author.id} says ${number}`;
    const stored = await repeatUntilAcknowledged(() =>
      callApi<Message>(quad, `/rest/v1/conversations/${conversationId}/messages`, {
        token: author.token,
        body: { client_id, message_text },
      }),
    );
    if (stored.client_id !== client_id || stored.message_text !== message_text) {
      throw new Error(`The server answered with another message: ${JSON.stringify(stored)}`);
    }
    acknowledged.set(client_id, message_text);
    await onAcknowledged();
  }
  return acknowledged;
};

export interface MessageReader {
  /** The received messages, in order of arrival. */
  received: Message[];
  close(): void;
}

/**
 * Receives a conversation's messages with the official Phoenix client. Each channel join sends the
 * sequence number (seq) of the last received message, so that the server also sends all messages
 * that were missed since then.
 */
export const startReader = (
  quad: Deployment,
  { conversationId }: TestConversation,
  student: Student,
): MessageReader => {
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

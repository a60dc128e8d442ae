import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Socket } from 'phoenix';
import sharp from 'sharp';
import type { Message } from '#contract/conversations.ts';
import { callApi, type Deployment, type Student } from '../support/students.ts';
import type { TestConversation } from './test-conversations.ts';

/** A message that the server has acknowledged. */
export interface AcknowledgedMessage {
  text: string;
  /** Ids of its photos. */
  photos: string[];
  /** Id of the message that it replies to. */
  replyTo: string | undefined;
  isUnsent: boolean;
}

/** The messages of a writer that the server has acknowledged, keyed by their client ids. */
export type AcknowledgedMessages = Map<string, AcknowledgedMessage>;

/** Of so many messages of a writer, one has a photo, one is a reply, and one is unsent. */
const varietyPeriod = 20;

const smallPhoto = sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
  .jpeg()
  .toBuffer();

const uploadPhoto = async (quad: Deployment, { token }: Student): Promise<string> => {
  const form = new FormData();
  form.append('file', new File([Uint8Array.from(await smallPhoto)], 'photo.jpg', { type: 'image/jpeg' }));
  const answer = await fetch(`${quad.url}/storage/v1/object/message-photos`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
    signal: AbortSignal.timeout(10_000),
  });
  if (answer.status === 429) throw new Error('Too many uploads at the same time');
  if (!answer.ok) throw new Error(`The upload answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()).id;
};

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
  { conversationId, parties }: TestConversation,
  author: Student,
  isDone: (sent: number) => boolean,
  onAcknowledged: () => void | Promise<void>,
): Promise<AcknowledgedMessages> => {
  const acknowledged: AcknowledgedMessages = new Map();
  const path = `/rest/v1/conversations/${conversationId}/messages`;
  const { token } = author;
  let previousId: string | undefined;
  for (let number = 1; !isDone(number - 1); number += 1) {
    const client_id = randomUUID();
    const message_text = `${author.id} says ${number}`;
    const turn = number % varietyPeriod;
    // The buyers have upload slots of their own; the seller is in all conversations.
    const hasPhoto = turn === 5 && author === parties[1];
    const photos = hasPhoto ? [await repeatUntilAcknowledged(() => uploadPhoto(quad, author))] : undefined;
    const reply_to = turn === 6 || turn === 12 ? previousId : undefined;
    const body = { client_id, message_text, photos, reply_to };
    const stored = await repeatUntilAcknowledged(() => callApi<Message>(quad, path, { token, body }));
    if (stored.client_id !== client_id || stored.message_text !== message_text) {
      throw new Error(`The server answered with another message: ${JSON.stringify(stored)}`);
    }
    // Every second message with a photo is unsent, too.
    const isUnsent = turn === 5 ? number % (2 * varietyPeriod) === 5 : turn === 11;
    if (isUnsent)
      await repeatUntilAcknowledged(() =>
        callApi<Message>(quad, `${path}/${stored.id}`, { token, method: 'DELETE' }),
      );
    acknowledged.set(client_id, { text: message_text, photos: photos ?? [], replyTo: reply_to, isUnsent });
    previousId = stored.id;
    await onAcknowledged();
  }
  return acknowledged;
};

export interface MessageReader {
  /** The received messages, in order of arrival. */
  received: Message[];
  /** The messages of which it was told that they were unsent, in order of arrival. */
  unsent: Message[];
  close(): void;
}

/**
 * Receives a conversation's messages with the official Phoenix client. Each channel join sends the
 * sequence number (seq) of the last received message and the number of the last one that was unsent, so that the server also
 * sends everything that was missed since then.
 */
export const startReader = (
  quad: Deployment,
  { conversationId }: TestConversation,
  student: Student,
): MessageReader => {
  const received: Message[] = [];
  const unsent: Message[] = [];
  const socket = new Socket(`${quad.url.replace('http', 'ws')}/realtime/v1`, {
    transport: WebSocket,
    reconnectAfterMs: () => 200,
    rejoinAfterMs: () => 200,
  });
  const channel = socket.channel(`conversation:${conversationId}`, () => ({
    access_token: student.token,
    after_seq: received.at(-1)?.seq ?? 0,
    after_unsent: unsent.at(-1)?.unsent_number ?? 0,
  }));
  channel.on('message', (message: Message) => void received.push(message));
  channel.on('unsent', (message: Message) => void unsent.push(message));
  socket.connect();
  channel.join();
  return { received, unsent, close: () => socket.disconnect() };
};

import { setTimeout as delay } from 'node:timers/promises';
import { buildMessagePhotoPath, type Message, type MessageList } from '#contract/conversations.ts';
import { findRecordedTransition } from '#contract/deal-event-lines.ts';
import { callApi, type Deployment, type Student } from '../support/students.ts';
import type { AcknowledgedTransition } from './deals.ts';
import type { TestConversation } from './test-conversations.ts';
import type { AcknowledgedMessages, MessageReader } from './writers-and-readers.ts';

/** Waits until `holds` returns true; returns the waiting time in ms, or Infinity after `timeoutMs`. */
export const waitUntil = async (holds: () => boolean, timeoutMs: number): Promise<number> => {
  const begun = performance.now();
  while (!holds()) {
    if (performance.now() - begun > timeoutMs) return Number.POSITIVE_INFINITY;
    await delay(20);
  }
  return performance.now() - begun;
};

/** Loads all messages of a conversation through the API, page by page. */
const listAllMessages = async (
  quad: Deployment,
  talk: TestConversation,
  student: Student,
): Promise<Message[]> => {
  const all: Message[] = [];
  for (;;) {
    const { items, more } = await callApi<MessageList>(
      quad,
      `/rest/v1/conversations/${talk.conversationId}/messages?after_seq=${all.at(-1)?.seq ?? 0}&limit=500`,
      { token: student.token },
    );
    all.push(...items);
    if (!more) return all;
  }
};

const expectSame = (what: string, found: unknown, expected: unknown): void => {
  const [left, right] = [JSON.stringify(found), JSON.stringify(expected)];
  if (left !== right)
    throw new Error(`${what}: found ${left.slice(0, 500)}, expected ${right.slice(0, 500)}`);
};

/** The messages and deal transitions of a conversation that the server has acknowledged. */
export interface AcknowledgedContent {
  texts: AcknowledgedMessages[];
  transitions: AcknowledgedTransition[];
}

/** Throws unless a photo can be read if `isSent`, and is not found otherwise. */
const checkPhoto = async (
  quad: Deployment,
  { conversationId, parties: [{ token }] }: TestConversation,
  { photo, isSent }: { photo: string; isSent: boolean },
): Promise<void> => {
  const path = buildMessagePhotoPath(conversationId, photo);
  const { status } = await fetch(`${quad.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  expectSame(`photo ${photo}`, status, isSent ? 200 : 404);
};

/**
 * Throws unless a conversation contains exactly the acknowledged messages and transitions, in order, with their photos and
 * what they reply to; those that were unsent contain nothing any more. Each reader must have received exactly these.
 */
export const checkConversation = async (
  quad: Deployment,
  talk: TestConversation,
  { texts, transitions }: AcknowledgedContent,
  readers: MessageReader[],
): Promise<void> => {
  const stored = await listAllMessages(quad, talk, talk.parties[0]);
  const where = `conversation ${talk.conversationId}`;
  expectSame(
    `${where}, seqs`,
    stored.map(({ seq }) => seq),
    stored.map((_, index) => index + 1),
  );
  const acknowledgedTexts = new Map(texts.flatMap((one) => [...one]));
  const messages = stored.filter(({ kind }) => kind === 'text');
  expectSame(`${where}, number of messages`, messages.length, acknowledgedTexts.size);
  for (const { client_id, message_text, photos = [], reply_to, unsent_number } of messages) {
    const sent = acknowledgedTexts.get(client_id);
    if (!sent) throw new Error(`${where}: message ${client_id} was never acknowledged`);
    const isUnsent = unsent_number !== undefined;
    expectSame(
      `${where}, message ${client_id}`,
      [message_text, photos.map(({ id }) => id), reply_to?.id, isUnsent],
      sent.isUnsent ? ['Message unsent', [], undefined, true] : [sent.text, sent.photos, sent.replyTo, false],
    );
    for (const photo of sent.photos) await checkPhoto(quad, talk, { photo, isSent: !sent.isUnsent });
  }
  const unsent = messages
    .filter(({ unsent_number: number }) => number !== undefined)
    .sort((a, b) => (a.unsent_number ?? 0) - (b.unsent_number ?? 0));
  for (const author of texts) {
    expectSame(
      `${where}, order of one author's messages`,
      messages.map(({ client_id }) => client_id).filter((id) => author.has(id)),
      [...author.keys()],
    );
  }
  const lines = stored.filter(({ kind }) => kind !== 'text');
  expectSame(
    `${where}, transitions`,
    lines.map(({ client_id, data }) => {
      const step = findRecordedTransition(data);
      return [client_id, step?.deal_id, step?.number, step?.transition, step?.state];
    }),
    transitions.map((one) => [one.client_id, one.deal_id, one.number, one.transition, one.state]),
  );
  for (const { received, unsent: heard } of readers) {
    await waitUntil(() => heard.length >= unsent.length, 15_000);
    expectSame(
      `${where}, heard that they were unsent`,
      heard.map(({ id, unsent_number: number }) => [id, number]),
      unsent.map(({ id }, index) => [id, index + 1]),
    );
    expectSame(
      `${where}, heard`,
      received.map(({ id }) => id),
      stored.map(({ id }) => id),
    );
  }
};

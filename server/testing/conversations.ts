import { randomUUID } from 'node:crypto';
import type { Conversation, Message } from '#contract/conversations.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { Person, TestApp } from './app.ts';
import { buildMultipartBody, createTestPhoto, type FilePart, multipartContentType } from './photos.ts';
import { type RequestMethod, sendRequest } from './requests.ts';

/** Inserts a published listing directly into the database, for tests that only need one to exist; returns its id. */
export const insertDeskListing = async ({ sql, clock }: TestApp, seller: Person): Promise<string> => {
  const id = randomUUID();
  const now = clock.now();
  await sql`
    INSERT INTO listings (id, slug, user_id, title, description, price, photos, category, condition, location,
      status, contact_email, created_at, updated_at, published_at)
    VALUES (${id}, ${`desk-${id}`}, ${seller.userId}, 'Solid oak desk',
      'A desk of solid oak with two drawers and hardly a scratch.', 45.5, ${['/photo/1', '/photo/2']}, 'furniture',
      'good', 'Village', 'published', 'seller@usc.edu', ${now}, ${now}, ${now})`;
  return id;
};

/** Creates a client with functions that start conversations and send messages through the public API. */
export const createConversationClient = (testApp: TestApp) => {
  const ask = (person: Person, method: RequestMethod, url: string, payload?: object) =>
    sendRequest(testApp, person, method, url, payload);
  const at = (id: string, rest = '') => `/rest/v1/conversations/${id}${rest}`;
  const open = (person: Person, listingId: string) =>
    ask(person, 'POST', '/rest/v1/conversations', { listing_id: listingId });
  return {
    ask,
    at,
    open,
    /** Inserts a listing of the seller and opens a conversation about it as the buyer. */
    begin: async (buyer: Person, seller: Person): Promise<Conversation> =>
      (await open(buyer, await insertDeskListing(testApp, seller))).body,
    send: (person: Person, id: string, message_text: string, client_id: string = randomUUID()) =>
      ask(person, 'POST', at(id, '/messages'), { client_id, message_text }),
    /** Sends a message that was written when its author had seen the messages up to `seen_seq`. */
    sendWithSeenSeq: (person: Person, id: string, message_text: string, seen_seq: number) =>
      ask(person, 'POST', at(id, '/messages'), { client_id: randomUUID(), message_text, seen_seq }),
    uploadPhoto: async (person: Person, file?: FilePart) => {
      const response = await testApp.server.inject({
        method: 'POST',
        url: '/storage/v1/object/message-photos',
        headers: { ...person.headers, 'content-type': multipartContentType },
        payload: buildMultipartBody(file ?? { bytes: await createTestPhoto() }),
      });
      return { status: response.statusCode, ...response.json<Partial<ErrorBody> & { id: string }>() };
    },
    sendPhotos: (person: Person, id: string, photos: readonly string[], form: object = {}) =>
      ask(person, 'POST', at(id, '/messages'), { client_id: randomUUID(), photos, ...form }),
    reply: (person: Person, id: string, reply_to: string, message_text: string) =>
      ask(person, 'POST', at(id, '/messages'), { client_id: randomUUID(), message_text, reply_to }),
    unsend: (person: Person, id: string, messageId: string) =>
      ask(person, 'DELETE', at(id, `/messages/${messageId}`)),
    notify: (person: Person, conversationId: string) =>
      ask(person, 'POST', '/functions/v1/notify-seller-new-message', { conversationId }),
  };
};

export const getMessageTexts = (messages: Message[]): string[] =>
  messages.map(({ message_text }) => message_text);

import { randomUUID } from 'node:crypto';
import type { Deal } from '#contract/deals.ts';
import type { Person, TestApp } from '#server/testing/app.ts';
import { submitListingForm } from '#server/testing/listings.ts';
import { type RequestMethod, sendRequest } from '#server/testing/requests.ts';

/** Returns functions that start deals and take their transitions through the public API. */
export const createDealClient = (testApp: TestApp) => {
  // Renew the access token, because deals take days and a token is valid for an hour.
  const renewSession = async (person: Person): Promise<boolean> => {
    const { status, body } = await sendRequest(
      testApp,
      person,
      'POST',
      '/auth/v1/token?grant_type=refresh_token',
      {
        refresh_token: person.refreshToken,
      },
    );
    if (status !== 200) return false;
    person.refreshToken = body.refresh_token;
    person.headers.authorization = `Bearer ${body.access_token}`;
    return true;
  };
  const request = async (person: Person, method: RequestMethod, url: string, payload?: object) => {
    const response = await sendRequest(testApp, person, method, url, payload);
    // A session that cannot be renewed has ended, for example because the account was deleted.
    if (response.status !== 401 || !(await renewSession(person))) return response;
    return sendRequest(testApp, person, method, url, payload);
  };
  const start = (buyer: Person, listingId: string, wanted: object = {}) =>
    request(buyer, 'POST', '/rest/v1/deals', { client_id: randomUUID(), listing_id: listingId, ...wanted });
  const take = (person: Person, { id }: Pick<Deal, 'id'>, transition: string, data: object = {}) =>
    request(person, 'POST', `/rest/v1/deals/${id}/transitions`, {
      client_id: randomUUID(),
      transition,
      ...data,
    });
  const list = async (seller: Person, form: object = {}): Promise<string> => {
    const { status, body } = await submitListingForm(testApp, seller, form);
    if (status !== 200) throw new Error(`status ${status}: ${JSON.stringify(body)}`);
    return body.listing.id;
  };
  return {
    request,
    start,
    take,
    list,
    /** Creates a listing with two offers by new people, of which the seller accepts the first. */
    holdListing: async (form: object, wanted: object = {}) => {
      const [seller, buyer, other] = [await testApp.signIn(), await testApp.signIn(), await testApp.signIn()];
      const listingId = await list(seller, form);
      const held: Deal = (await start(buyer, listingId, wanted)).body;
      const waiting: Deal = (await start(other, listingId, wanted)).body;
      await take(seller, held, 'accept');
      return { seller, buyer, other, listingId, held, waiting };
    },
    get: async (person: Person, { id }: Pick<Deal, 'id'>): Promise<Deal> =>
      (await request(person, 'GET', `/rest/v1/deals/${id}`)).body,
    /** Lists the event lines of a deal's conversation, oldest first. */
    listLines: async (person: Person, { conversation_id: id }: Pick<Deal, 'conversation_id'>) => {
      const { body } = await request(person, 'GET', `/rest/v1/conversations/${id}/messages`);
      return (body.items as { kind: string; message_text: string; data: never }[]).filter(
        ({ kind }) => kind !== 'text',
      );
    },
  };
};

import { randomUUID } from 'node:crypto';
import type { Person, TestApp } from './app.ts';

const campusAddressPath = '/rest/v1/me/campus-address';

/** Creates a client with functions that add and remove campus email addresses through the public API. */
export const createCampusAddressClient = (testApp: TestApp) => {
  const send = async (
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    by: Person,
    payload?: object,
    from = '10.0.0.1',
  ) => {
    const response = await testApp.server.inject({
      method,
      url,
      headers: by.headers,
      remoteAddress: from,
      ...(payload && { payload }),
    });
    return { status: response.statusCode, headers: response.headers, body: response.json() };
  };
  const client = {
    /** Returns a new campus email address, which no account uses. */
    newAddress: (): string => `${randomUUID()}@usc.edu`,
    /** Signs up a person with an email address outside the campus. */
    signInOutside: (fullName = 'Gina Outside'): Promise<Person> =>
      testApp.signIn({ email: `${randomUUID()}@home.example`, fullName }),
    request: (person: Person, email: string, from?: string) =>
      send('POST', campusAddressPath, person, { email }, from),
    verify: (person: Person, code: string) => send('POST', `${campusAddressPath}/verify`, person, { code }),
    remove: (person: Person) => send('DELETE', campusAddressPath, person),
    readProfile: async (person: Person) => (await send('GET', '/rest/v1/me', person)).body,
    /** Adds a campus email address: requests a code for it and verifies the code. */
    add: async (person: Person, email: string) => {
      const requested = await client.request(person, email);
      return requested.status === 200 ? client.verify(person, testApp.codeFor(email)) : requested;
    },
  };
  return client;
};

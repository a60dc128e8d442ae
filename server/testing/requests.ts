import type { Person, TestApp } from './app.ts';

export type RequestMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Sends a request to the application, signed in if there is a person; returns the status and the parsed body. */
export const sendRequest = async (
  { server }: Pick<TestApp, 'server'>,
  person: Pick<Person, 'headers'> | undefined,
  method: RequestMethod,
  url: string,
  payload?: object,
) => {
  const response = await server.inject({
    method,
    url,
    ...(person ? { headers: person.headers } : {}),
    ...(payload ? { payload } : {}),
  });
  return { status: response.statusCode, body: response.json() };
};

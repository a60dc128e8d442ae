import { expect } from 'vitest';
import type { Person, TestApp } from './app.ts';
import { buildMultipartBody, createTestPhoto, multipartContentType } from './photos.ts';

/**
 * Creates a client with functions that delete an account, download its data and upload photos through the
 * public API.
 */
export const createAccountClient = (testApp: TestApp) => ({
  deleteAccount: async (person: Person, payload: object | undefined = { confirmation: 'DELETE' }) => {
    const response = await testApp.server.inject({
      method: 'DELETE',
      url: '/rest/v1/me',
      headers: person.headers,
      payload,
    });
    return { status: response.statusCode, body: response.json() };
  },

  download: (person: Person) =>
    testApp.server.inject({ method: 'GET', url: '/rest/v1/me/data', headers: person.headers }),

  upload: async (person: Person, bucket = 'listing-photos') => {
    const response = await testApp.server.inject({
      method: 'POST',
      url: `/storage/v1/object/${bucket}`,
      headers: { ...person.headers, 'content-type': multipartContentType },
      payload: buildMultipartBody({ bytes: await createTestPhoto() }),
    });
    return { status: response.statusCode, ...response.json<{ publicUrl: string }>() };
  },

  /**
   * Returns the names of all tables in which any column contains one of these texts. Skips the security log.
   */
  findTraces: async (...texts: string[]): Promise<string[]> => {
    const tables = await testApp.sql<{ name: string }[]>`
      SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
      WHERE table_schema IN ('public', 'private') AND table_type = 'BASE TABLE'
        AND table_name <> 'security_events'`;
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await testApp.sql.query(
        `SELECT 1 FROM ${name} AS kept WHERE EXISTS (
          SELECT 1 FROM unnest($1::text[]) AS text WHERE strpos(kept::text, text) > 0)`,
        [texts],
      );
      if (rows.length > 0) found.push(name);
    }
    return found;
  },
});

/** Deletes an account in a transaction that commits when the request waits for it; returns the response. */
export const sendDuringDeletion = async <Response>(
  testApp: TestApp,
  { userId }: Pick<Person, 'userId'>,
  send: () => Promise<Response>,
): Promise<Response> => {
  const { response } = await testApp.sql.begin(async (tx) => {
    await tx`DELETE FROM users WHERE id = ${userId}`;
    const [deletion] = await tx<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    const response = send();
    await expect
      .poll(
        () => testApp.sql`
          SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND ${deletion?.pid ?? 0} = ANY (pg_blocking_pids(pid))`,
      )
      .toHaveLength(1);
    return { response };
  });
  return response;
};

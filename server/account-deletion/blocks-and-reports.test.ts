import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createConversationClient, insertDeskListing } from '#server/testing/conversations.ts';
import { sendRequest } from '#server/testing/requests.ts';

let server: TestApp;
let conversationClient: ReturnType<typeof createConversationClient>;
let ann: Person;
let ben: Person;

beforeAll(async () => {
  server = await startTestApp();
  conversationClient = createConversationClient(server);
});
beforeEach(async () => {
  [ann, ben] = await Promise.all([server.signIn(), server.signIn()]);
});
afterAll(() => server.close());

const block = () => sendRequest(server, ann, 'PUT', `/rest/v1/me/blocks/${ben.userId}`);
const report = (subject: string, subject_id: string) =>
  sendRequest(server, ann, 'POST', '/rest/v1/reports', { subject, subject_id, reason: 'scam', text: '' });

/** Deletes an account in a transaction that commits when the request waits for it; returns the response. */
const sendDuringDeletion = <Response>(person: Person, send: () => Promise<Response>): Promise<Response> =>
  server.sql
    .begin(async (tx) => {
      await tx`DELETE FROM users WHERE id = ${person.userId}`;
      const [deletion] = await tx<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
      const response = send();
      await expect
        .poll(
          () => server.sql`
          SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND ${deletion?.pid ?? 0} = ANY (pg_blocking_pids(pid))`,
        )
        .toHaveLength(1);
      return { response };
    })
    .then(({ response }) => response);

const actions: { name: string; prepare: () => Promise<() => Promise<{ body: object }>>; code: string }[] = [
  { name: 'blocking them', prepare: async () => block, code: 'user_not_found' },
  {
    name: 'reporting them',
    prepare: async () => () => report('user', ben.userId),
    code: 'report_subject_not_found',
  },
  {
    name: 'reporting their listing',
    prepare: async () => {
      const id = await insertDeskListing(server, ben);
      return () => report('listing', id);
    },
    code: 'report_subject_not_found',
  },
  {
    name: 'reporting their message',
    prepare: async () => {
      const { id } = await conversationClient.begin(ann, ben);
      const { body } = await conversationClient.send(ben, id, 'Pay first');
      return () => report('message', body.id);
    },
    code: 'report_subject_not_found',
  },
];

test.each(actions)(
  '$name fails with $code while the other person’s account is being deleted',
  async ({ prepare, code }) => {
    const send = await prepare();
    expect((await sendDuringDeletion(ben, send)).body).toMatchObject({ code });
  },
);

test.each([
  { name: 'blocking', send: () => block() },
  { name: 'reporting', send: () => report('user', ben.userId) },
])(
  '$name somebody fails with not_authenticated while the caller’s own account is being deleted',
  async ({ send }) => {
    expect((await sendDuringDeletion(ann, send)).body).toMatchObject({ code: 'not_authenticated' });
  },
);

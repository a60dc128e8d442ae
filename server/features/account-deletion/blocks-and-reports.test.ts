import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sendDuringDeletion } from '#server/testing/account-deletion.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createConversationClient, insertDeskListing } from '#server/testing/conversations.ts';
import { sendRequest } from '#server/testing/requests.ts';

let testApp: TestApp;
let conversationClient: ReturnType<typeof createConversationClient>;
let ann: Person;
let ben: Person;

beforeAll(async () => {
  testApp = await startTestApp();
  conversationClient = createConversationClient(testApp);
});
beforeEach(async () => {
  [ann, ben] = await Promise.all([testApp.signIn(), testApp.signIn()]);
});
afterAll(() => testApp.close());

const block = () => sendRequest(testApp, ann, 'PUT', `/rest/v1/me/blocks/${ben.userId}`);
const report = (subject: string, subject_id: string) =>
  sendRequest(testApp, ann, 'POST', '/rest/v1/reports', { subject, subject_id, reason: 'scam', text: '' });

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
      const id = await insertDeskListing(testApp, ben);
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
    expect((await sendDuringDeletion(testApp, ben, send)).body).toMatchObject({ code });
  },
);

test.each([
  { name: 'blocking', send: () => block() },
  { name: 'reporting', send: () => report('user', ben.userId) },
])(
  '$name somebody fails with not_authenticated while the caller’s own account is being deleted',
  async ({ send }) => {
    expect((await sendDuringDeletion(testApp, ann, send)).body).toMatchObject({ code: 'not_authenticated' });
  },
);

import type { NotificationSettingsChange } from '#contract/notifications.ts';
import { type PushDevice, pushDevicesSchema } from '#contract/push.ts';
import { pushDelaySeconds } from '#server/features/notifications/sql.ts';
import { type Person, startTestApp } from '#server/testing/app.ts';
import { createConversationClient } from '#server/testing/conversations.ts';
import { startPushService, trustedPushServices } from '#server/testing/push-service.ts';
import { sendRequest } from '#server/testing/requests.ts';
import { createPushConnections } from './connections.ts';

export const pushSubscriptionsPath = '/rest/v1/me/push-subscriptions';

const chromeOnAndroid =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';

/** Starts the application with a local push service; jobs run only when a test runs them. */
export const startPushTestApp = async () => {
  const service = await startPushService();
  const testApp = await startTestApp({
    replace: { pushConnections: createPushConnections(trustedPushServices) },
  });
  const { jobs, clock, server } = testApp;
  const talk = createConversationClient(testApp);

  const save = async (person: Person, form: object, userAgent = chromeOnAndroid) => {
    const headers = { ...person.headers, 'user-agent': userAgent };
    const response = await server.inject({
      method: 'POST',
      url: pushSubscriptionsPath,
      headers,
      payload: form,
    });
    return { status: response.statusCode, body: response.json() as PushDevice };
  };

  return {
    ...testApp,
    service,
    talk,
    save,
    /** Subscribes a new browser for the session of a person. */
    subscribe: async (person: Person, at = service) => {
      const browser = at.subscribe();
      const { status, body } = await save(person, browser.form);
      if (status !== 200) throw new Error(`status ${status}`);
      return { ...browser, id: body.id };
    },
    /**
     * Advances the clock by a minute and logs the person in again. Returns the person with the new session.
     */
    logInAgain: async (person: Person): Promise<Person> => {
      clock.advance(60);
      await sendRequest(testApp, undefined, 'POST', '/functions/v1/send-otp', { email: person.email });
      const { body } = await sendRequest(testApp, undefined, 'POST', '/functions/v1/verify-otp', {
        email: person.email,
        code: testApp.codeFor(person.email),
      });
      const grant = await sendRequest(testApp, undefined, 'POST', '/auth/v1/token?grant_type=password', {
        email: person.email,
        password: body.authPassword,
      });
      const { access_token: token, refresh_token: refreshToken } = grant.body;
      return { ...person, token, refreshToken, headers: { authorization: `Bearer ${token}` } };
    },
    listDevices: async (person: Person) =>
      pushDevicesSchema.parse((await talk.ask(person, 'GET', pushSubscriptionsPath)).body),
    changeSettings: (person: Person, change: NotificationSettingsChange) =>
      talk.ask(person, 'PATCH', '/rest/v1/me/notification-settings', change),
    /** Queues the push notifications that are due now, without sending them. */
    queue: () => jobs.repeatNow('due-pushes'),
    /** Advances the clock by the delay of push notifications, then queues and sends those that are due. */
    send: async (seconds = pushDelaySeconds): Promise<void> => {
      clock.advance(seconds);
      await jobs.repeatNow('due-pushes');
      await jobs.runAll();
    },
    close: async (): Promise<void> => {
      await testApp.close();
      await service.close();
    },
  };
};

export type PushTestApp = Awaited<ReturnType<typeof startPushTestApp>>;

import type { Email } from 'postal-mime';
import { createSmtpDelivery } from '#server/mail/delivery.ts';
import { sendQueuedMail } from '#server/mail/mail-job.ts';
import type { Mail } from '#server/mail/mailer.ts';
import { createOutbox, mailQueue } from '#server/mail/outbox.ts';
import type { JobQueue } from '#server/platform/jobs.ts';
import { generateSecrets } from '#server/platform/secrets.ts';
import { mailContents } from '#server/start/mail-contents.ts';
import { startMailServer } from '../../e2e/support/mail-server.ts';
import { type Person, startTestApp } from './app.ts';
import { createConversationClient } from './conversations.ts';

/** The kinds of emails that tests receive from the mail server. */
const deliveredKinds = new Set<Mail['kind']>([
  'first_message',
  'unread_messages',
  'handover',
  'deal_notices',
  'notifications',
]);

/** Starts the application with a real mail server for emails about messages and deals; other emails are collected in `mails`. */
export const startMailTestApp = async (environment: Record<string, string> = {}) => {
  const server = await startMailServer();
  const secrets = generateSecrets();
  const { pepper } = secrets;
  const testApp = await startTestApp({
    environment: { QUAD_PUBLIC_URL: 'https://quad.test', ...environment },
    replace: { secrets },
    mailer: (collecting, queue) => {
      const outbox = createOutbox(queue, pepper);
      return {
        ...collecting,
        send: (tx, mail) => (deliveredKinds.has(mail.kind) ? outbox : collecting).send(tx, mail),
      };
    },
  });
  const { clock, jobs } = testApp;

  // The objects that send emails over SMTP, one for each simulated server process.
  const deliveries: { close(): void }[] = [];
  const startMailWorkerOn = async (queue: JobQueue): Promise<void> => {
    const delivery = createSmtpDelivery(
      server.url,
      { name: 'Quad', address: 'no-reply@usc.edu' },
      {
        read: async () => undefined,
      },
    );
    deliveries.push(delivery);
    const app = { ...testApp.app, jobs: queue };
    await queue.work(mailQueue, (mail) => sendQueuedMail(app, mail, { delivery, contents: mailContents }));
  };
  await startMailWorkerOn(jobs);

  const mailsTo = ({ email }: Person): Email[] =>
    server.arrived.filter(({ to }) => to === email).map(({ mail }) => mail);
  const deliver = () => jobs.runAll();
  const gather = () => jobs.repeatNow('queue-unread-mail');

  return {
    ...testApp,
    ...{ jobs, pepper, startMailWorkerOn, mailsTo, gather, deliver, talk: createConversationClient(testApp) },
    /**
     * Advances the clock by `seconds`, runs all due jobs and returns the emails that these jobs sent to a
     * person.
     */
    after: async (seconds: number, person: Person): Promise<Email[]> => {
      const before = mailsTo(person).length;
      clock.advance(seconds);
      await gather();
      await deliver();
      return mailsTo(person).slice(before);
    },
    close: async () => {
      for (const delivery of deliveries) delivery.close();
      await testApp.close();
      await server.close();
    },
  };
};

export const getUnsubscribePath = (mail: Email): string => {
  const [, url = ''] = /Stop these emails: (\S+)/.exec(mail.text ?? '') ?? [];
  return new URL(url).pathname;
};

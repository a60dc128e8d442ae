import { EventEmitter, once } from 'node:events';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A real SMTP server on loopback that stores the emails it receives. */
export interface MailServer {
  url: string;
  /**
   * Returns the oldest email to `to` whose subject contains `subject`. Each email is returned only once.
   * Waits until there is such an email; rejects when none has arrived after 90 s.
   */
  take(to: string, subject?: string): Promise<Email>;
  /** All emails received so far, with their recipients, including those that `take` has returned. */
  arrived: readonly { to: string; mail: Email }[];
  close(): Promise<void>;
}

/** How long `take` waits for an email, in ms. It is shorter than a test's timeout, so that a test fails with the reason. */
const takeTimeoutMs = 90_000;

export const startMailServer = async (): Promise<MailServer> => {
  const arrived: { to: string; mail: Email }[] = [];
  const untaken: { to: string; mail: Email }[] = [];
  const deliveries = new EventEmitter().setMaxListeners(0);

  const storeEmail = (to: string, mail: Email): void => {
    arrived.push({ to, mail });
    untaken.push({ to, mail });
    deliveries.emit('email');
  };

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const mail = await PostalMime.parse(Buffer.concat(chunks));
        for (const { address } of session.envelope.rcptTo) storeEmail(address, mail);
        done();
      });
    },
  });
  // Ignore connection errors, such as those of a server that is killed while it sends an email.
  // Tests detect a missing email with `take`.
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const address = server.server.address();
  if (!address || typeof address === 'string') throw new Error('The mail server does not listen');

  return {
    arrived,
    url: `smtp://127.0.0.1:${address.port}`,
    take: async (to, subject = '') => {
      const signal = AbortSignal.timeout(takeTimeoutMs);
      for (;;) {
        const at = untaken.findIndex((it) => it.to === to && it.mail.subject?.includes(subject));
        const [found] = at < 0 ? [] : untaken.splice(at, 1);
        if (found) return found.mail;
        await once(deliveries, 'email', { signal }).catch(() => {
          const subjects = arrived.filter((it) => it.to === to).map(({ mail }) => mail.subject);
          throw new Error(`No email to ${to} about "${subject}". Received: ${JSON.stringify(subjects)}`);
        });
      }
    },
    close: () => new Promise((done) => server.close(() => done())),
  };
};

/** The part of a mail server that `takeVerificationCode` needs. */
export interface CodeMailbox {
  take(to: string, subject: string): Promise<{ text?: string | undefined }>;
}

/**
 * Returns the six-digit code from the oldest email with a code to this recipient. Each email is used only
 * once. Waits until there is such an email.
 */
export const takeVerificationCode = async (mail: CodeMailbox, to: string): Promise<string> => {
  const { text } = await mail.take(to, ' code');
  const code = /\b\d{6}\b/.exec(text ?? '')?.[0];
  if (!code) throw new Error(`There is no code in: ${text}`);
  return code;
};

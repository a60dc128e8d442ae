import { once } from 'node:events';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A real SMTP server on loopback that stores the emails it receives. */
export interface MailServer {
  url: string;
  /**
   * Returns the oldest email to `to` whose subject contains `subject`. Each email is returned only once.
   * Waits until there is such an email.
   */
  take(to: string, subject?: string): Promise<Email>;
  /** All emails received so far, with their recipients, including those that `take` has returned. */
  arrived: readonly { to: string; mail: Email }[];
  close(): Promise<void>;
}

export const startMailServer = async (): Promise<MailServer> => {
  const arrived: { to: string; mail: Email }[] = [];
  const untaken: { to: string; mail: Email }[] = [];
  const waiting: { to: string; subject: string; resolve: (mail: Email) => void }[] = [];

  const storeEmail = (to: string, mail: Email): void => {
    arrived.push({ to, mail });
    const waiter = waiting.findIndex((it) => it.to === to && mail.subject?.includes(it.subject));
    if (waiter < 0) untaken.push({ to, mail });
    else waiting.splice(waiter, 1)[0]?.resolve(mail);
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
    take: (to, subject = '') =>
      new Promise((resolve) => {
        const at = untaken.findIndex((it) => it.to === to && it.mail.subject?.includes(subject));
        const [found] = at < 0 ? [] : untaken.splice(at, 1);
        if (found) resolve(found.mail);
        else waiting.push({ to, subject, resolve });
      }),
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

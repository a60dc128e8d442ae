import { once } from 'node:events';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A real mail server on loopback that stores what it receives. */
export interface MailServer {
  url: string;
  /** Waits for the next email to an address that has not been taken yet. */
  take(to: string): Promise<Email>;
  /** All emails so far, taken or not, with their recipients. */
  arrived: readonly { to: string; mail: Email }[];
  close(): Promise<void>;
}

export const startMailServer = async (): Promise<MailServer> => {
  const arrived: { to: string; mail: Email }[] = [];
  const kept: { to: string; mail: Email }[] = [];
  const waiting: { to: string; resolve: (mail: Email) => void }[] = [];

  const arrive = (to: string, mail: Email): void => {
    arrived.push({ to, mail });
    const waiter = waiting.findIndex((candidate) => candidate.to === to);
    if (waiter < 0) kept.push({ to, mail });
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
        for (const { address } of session.envelope.rcptTo) arrive(address, mail);
        done();
      });
    },
  });
  // Ignores a sender that was killed while sending; `take` checks whether the email arrives.
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const address = server.server.address();
  if (!address || typeof address === 'string') throw new Error('The mail server does not listen');

  return {
    arrived,
    url: `smtp://127.0.0.1:${address.port}`,
    take: (to) =>
      new Promise((resolve) => {
        const at = kept.findIndex((candidate) => candidate.to === to);
        const [found] = at < 0 ? [] : kept.splice(at, 1);
        if (found) resolve(found.mail);
        else waiting.push({ to, resolve });
      }),
    close: () => new Promise((done) => server.close(() => done())),
  };
};

/** Returns the six digits of a code email. */
export const codeIn = (mail: Email): string => {
  const code = /\b\d{6}\b/.exec(mail.text ?? '')?.[0];
  if (!code) throw new Error(`There is no code in: ${mail.text}`);
  return code;
};

import { setTimeout as delay } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import type { Clock } from '#server/platform/clock.ts';
import type { Files } from '#server/platform/files/files.ts';
import { jobsAtOnce } from '#server/platform/jobs.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import type { Attachment } from './mails.ts';
import type { Email } from './templates.ts';

/** Brings a letter on its way; throws when that failed and is worth another try. */
export interface Delivery {
  deliver(email: Email): Promise<void>;
  /** Lets letters on their way arrive, for a moment: what a mail server holds up longer fails, and is tried again later. */
  close(): Promise<void>;
}

/** Well within what a stopping process has. */
const lastWaitMs = 2_000;

// Opened anew for each try. A file that is gone is no reason to keep the letter from being read.
const attachmentsOf = async (files: Pick<Files, 'read'>, attachment: Attachment | undefined) => {
  const file = attachment && (await files.read(attachment.key));
  if (!attachment || !file) return [];
  const { filename, contentType } = attachment;
  return [{ filename, contentType, content: await file.open() }];
};

// One click in the mail program switches such mails off (RFC 2369, RFC 8058).
const stopHeaders = (stopUrl: string | undefined): Record<string, string> =>
  stopUrl === undefined
    ? {}
    : { 'List-Unsubscribe': `<${stopUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };

/** Sends through a mail server (smtp:// or smtps://), with bounded waits so that a slow server holds up nothing else. */
export const createSmtpDelivery = (
  smtpUrl: string,
  from: string,
  files: Pick<Files, 'read'>,
  { socketTimeout = 20_000 } = {},
): Delivery => {
  const transport = createTransport(
    {
      url: smtpUrl,
      pool: true,
      // As many as letters are taken from the queue at once: none waits for the time-out of more than one other.
      maxConnections: jobsAtOnce,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout,
    },
    { from, headers: { 'Auto-Submitted': 'auto-generated' } },
  );
  /** Letters on their way, with how to give each up. */
  const underWay = new Map<Promise<unknown>, (reason: Error) => void>();
  return {
    deliver: async ({ to, subject, text, html, replyTo, attachment, stopUrl }) => {
      const attachments = await attachmentsOf(files, attachment);
      // An address object is never parsed as a list, so one stored address is one recipient.
      const sending = transport.sendMail({
        to: { name: '', address: to },
        ...(replyTo ? { replyTo: { name: '', address: replyTo } } : {}),
        subject,
        text,
        html,
        attachments,
        headers: stopHeaders(stopUrl),
      });
      const givenUp = Promise.withResolvers<never>();
      underWay.set(sending, givenUp.reject);
      await Promise.race([sending, givenUp.promise]).finally(() => underWay.delete(sending));
    },
    close: async () => {
      transport.close();
      const wait = delay(lastWaitMs, undefined, { ref: false });
      await Promise.race([Promise.allSettled(underWay.keys()), wait]);
      for (const giveUp of underWay.values())
        giveUp(new Error('The process stopped before the mail server had answered'));
    },
  };
};

/** Prints letters and keeps them for the mailbox page: what development uses in place of a mail server. */
export const createMailboxDelivery = (sql: Sql, clock: Clock, say: (line: string) => void): Delivery => ({
  deliver: async ({ to, subject, text, html }) => {
    await sql`
      INSERT INTO private.mailbox (recipient, subject, text_body, html_body, created_at)
      VALUES (${to}, ${subject}, ${text}, ${html}, ${clock.now()})`;
    say(`mail to ${to}: ${subject}`);
  },
  close: async () => {},
});

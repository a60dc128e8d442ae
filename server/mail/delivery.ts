import { setTimeout as delay } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import type { Clock } from '#server/platform/clock.ts';
import type { Files } from '#server/platform/files/files.ts';
import { jobsPerBatch } from '#server/platform/jobs.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import type { Attachment } from './mailer.ts';
import type { Email } from './templates.ts';

/** Sends an email; throws when it failed and should be retried. */
export interface Delivery {
  deliver(email: Email): Promise<void>;
  /** Waits briefly for emails being sent, then cancels the rest, which are retried later. */
  close(): Promise<void>;
}

/** Well within the shutdown timeout of the process. */
const lastWaitMs = 2_000;

// Opened again for each attempt. The email is sent even when the attachment no longer exists.
const attachmentsOf = async (files: Pick<Files, 'read'>, attachment: Attachment | undefined) => {
  const file = attachment && (await files.read(attachment.key));
  if (!attachment || !file) return [];
  const { filename, contentType } = attachment;
  return [{ filename, contentType, content: await file.open() }];
};

// One-click unsubscribe in mail programs (RFC 2369, RFC 8058).
const stopHeaders = (stopUrl: string | undefined): Record<string, string> =>
  stopUrl === undefined
    ? {}
    : { 'List-Unsubscribe': `<${stopUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };

/** Sends through a mail server (smtp:// or smtps://), with timeouts so that a slow server delays nothing else. */
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
      // As many connections as jobs per batch, so that no email waits for the timeouts of several others.
      maxConnections: jobsPerBatch,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout,
    },
    { from, headers: { 'Auto-Submitted': 'auto-generated' } },
  );
  /** Emails being sent, each with a function that cancels it. */
  const underWay = new Map<Promise<unknown>, (reason: Error) => void>();
  return {
    deliver: async ({ to, subject, text, html, replyTo, attachment, stopUrl }) => {
      const attachments = await attachmentsOf(files, attachment);
      // Unlike a string, an address object is never parsed as a list, so one stored address is one recipient.
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

/** Prints emails and stores them for the development mailbox, in place of a mail server. */
export const createMailboxDelivery = (sql: Sql, clock: Clock, say: (line: string) => void): Delivery => ({
  deliver: async ({ to, subject, text, html }) => {
    await sql`
      INSERT INTO private.mailbox (recipient, subject, text_body, html_body, created_at)
      VALUES (${to}, ${subject}, ${text}, ${html}, ${clock.now()})`;
    say(`mail to ${to}: ${subject}`);
  },
  close: async () => {},
});

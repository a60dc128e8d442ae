import { setTimeout as delay } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import type { Clock } from '#server/platform/clock.ts';
import type { Files } from '#server/platform/files/files.ts';
import { jobsPerBatch } from '#server/platform/jobs.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import type { Attachment } from './mailer.ts';
import type { Email } from './templates.ts';

/** Sends emails. */
export interface Delivery {
  /** Sends one email; rejects when sending failed and should be retried. */
  deliver(email: Email): Promise<void>;
  /** Waits briefly for emails being sent, then cancels the rest, which are retried later. */
  close(): Promise<void>;
}

/** How long `close` waits for emails being sent; well below the shutdown timeout of the process. */
const closeTimeoutMs = 2_000;

// Opens the attachment for each attempt again. The email is sent even when the attachment no longer exists.
const openAttachments = async (files: Pick<Files, 'read'>, attachment: Attachment | undefined) => {
  const file = attachment && (await files.read(attachment.key));
  if (!attachment || !file) return [];
  const { filename, contentType } = attachment;
  return [{ filename, contentType, content: await file.open() }];
};

// These headers enable one-click unsubscribe in mail programs (RFC 2369, RFC 8058).
const buildUnsubscribeHeaders = (stopUrl: string | undefined): Record<string, string> =>
  stopUrl === undefined
    ? {}
    : { 'List-Unsubscribe': `<${stopUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };

/**
 * Creates delivery through a mail server (smtp:// or smtps://), with timeouts so that a slow server does not block
 * other emails for long.
 */
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
      // There are as many connections as jobs per batch, so that no email waits for the timeouts of several others.
      maxConnections: jobsPerBatch,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout,
    },
    { from, headers: { 'Auto-Submitted': 'auto-generated' } },
  );
  /** The emails being sent, as promises, each with a function that cancels it. */
  const cancelBySending = new Map<Promise<unknown>, (reason: Error) => void>();
  return {
    deliver: async ({ to, subject, text, html, replyTo, attachment, stopUrl }) => {
      const attachments = await openAttachments(files, attachment);
      // Unlike a string, an address object is never parsed as a list, so one stored address is one recipient.
      const sending = transport.sendMail({
        to: { name: '', address: to },
        ...(replyTo ? { replyTo: { name: '', address: replyTo } } : {}),
        subject,
        text,
        html,
        attachments,
        headers: buildUnsubscribeHeaders(stopUrl),
      });
      const cancellation = Promise.withResolvers<never>();
      cancelBySending.set(sending, cancellation.reject);
      await Promise.race([sending, cancellation.promise]).finally(() => cancelBySending.delete(sending));
    },
    close: async () => {
      transport.close();
      const wait = delay(closeTimeoutMs, undefined, { ref: false });
      await Promise.race([Promise.allSettled(cancelBySending.keys()), wait]);
      for (const cancel of cancelBySending.values())
        cancel(new Error('The process stopped before the mail server had answered'));
    },
  };
};

/** Creates delivery without a mail server: it prints emails and stores them for the development mailbox. */
export const createMailboxDelivery = (
  sql: Sql,
  clock: Clock,
  printLine: (line: string) => void,
): Delivery => ({
  deliver: async ({ to, subject, text, html }) => {
    await sql`
      INSERT INTO private.mailbox (recipient, subject, text_body, html_body, created_at)
      VALUES (${to}, ${subject}, ${text}, ${html}, ${clock.now()})`;
    printLine(`mail to ${to}: ${subject}`);
  },
  close: async () => {},
});

import { setTimeout as delay } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import type { Clock } from '#server/platform/clock.ts';
import type { FileStore } from '#server/platform/files/files.ts';
import { jobsPerBatch } from '#server/platform/jobs.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { json } from '#server/platform/postgres/sql-fragments.ts';
import type { Attachment, RenderedEmail } from './templates.ts';

/** Sends emails, either through a mail server or to the development mailbox. */
export interface MailDelivery {
  /** Sends one email; rejects when sending failed and should be retried. */
  deliver(email: RenderedEmail): Promise<void>;
  /** Waits briefly for emails being sent, then cancels the rest, which are retried later. */
  close(): Promise<void>;
}

/**
 * How long `close` waits for emails being sent, in ms. The time is well below the shutdown timeout of the
 * process.
 */
const closeTimeoutMs = 2_000;

// Reopens the attachment for every delivery attempt. If it no longer exists, the email is sent
// without it.
const openAttachments = async (files: Pick<FileStore, 'read'>, attachment: Attachment | undefined) => {
  const file = attachment && (await files.read(attachment.key));
  if (!attachment || !file) return [];
  const { filename, contentType } = attachment;
  return [{ filename, contentType, content: await file.open() }];
};

const buildCalendarAttachments = (calendar: string | undefined) =>
  calendar === undefined
    ? []
    : [
        {
          filename: 'handover.ics',
          contentType: 'text/calendar; charset=utf-8; method=PUBLISH',
          content: calendar,
        },
      ];

// These headers enable one-click unsubscribe in mail programs (RFC 2369, RFC 8058).
const buildUnsubscribeHeaders = (stopUrl: string | undefined): Record<string, string> =>
  stopUrl === undefined
    ? {}
    : { 'List-Unsubscribe': `<${stopUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };

/**
 * Creates the delivery that sends emails through a mail server (smtp:// or smtps://). It has timeouts, so
 * that a slow server does not block other emails for long. The name of the sender may be empty.
 */
export const createSmtpDelivery = (
  smtpUrl: string,
  from: { name: string; address: string },
  files: Pick<FileStore, 'read'>,
  { socketTimeout = 20_000 } = {},
): MailDelivery => {
  const transport = createTransport(
    {
      url: smtpUrl,
      pool: true,
      // Use as many connections as a batch has jobs, so that no email has to wait while several
      // others time out.
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
    deliver: async ({ to, subject, text, html, replyTo, attachment, calendar, stopUrl }) => {
      const attachments = [
        ...(await openAttachments(files, attachment)),
        ...buildCalendarAttachments(calendar),
      ];
      // Pass an address object: unlike a string, it is never parsed as a list, so one stored
      // address cannot become several recipients.
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

/** An attachment of an email in the development mailbox. Of an uploaded file, only the name is stored. */
export type DevMailboxAttachment = { filename: string; text: string | null };

/**
 * Creates the delivery that needs no mail server: it prints emails and stores them for the development
 * mailbox.
 */
export const createDevMailboxDelivery = (
  sql: Sql,
  clock: Clock,
  printLine: (line: string) => void,
): MailDelivery => ({
  deliver: async ({ to, subject, text, html, attachment, calendar }) => {
    const attachments: DevMailboxAttachment[] = [
      ...(attachment ? [{ filename: attachment.filename, text: null }] : []),
      ...buildCalendarAttachments(calendar).map(({ filename, content }) => ({ filename, text: content })),
    ];
    await sql`
      INSERT INTO private.mailbox (recipient, subject, text_body, html_body, attachments, created_at)
      VALUES (${to}, ${subject}, ${text}, ${html}, ${json(attachments)}, ${clock.now()})`;
    printLine(`mail to ${to}: ${subject}`);
  },
  close: async () => {},
});

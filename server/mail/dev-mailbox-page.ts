import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createProblem } from '#contract/errors.ts';
import { isDirectLocalRequest } from '#server/http/local-requests.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import type { DevMailboxAttachment } from './delivery.ts';
import { escapeHtml } from './email-layout.ts';

const pageCss = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { max-width: 720px; margin: 0 auto; padding: 24px 16px }
  article { margin: 16px 0; padding: 16px; border: 1px solid #8886; border-radius: 12px }
  h2 { margin: 0; font-size: 18px }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit }
  small { opacity: .75 }
`;
const styleHash = createHash('sha256').update(pageCss).digest('base64');

const linkifyUrls = (text: string): string =>
  escapeHtml(text).replace(/https?:\/\/[^\s<&]+/g, (url) => `<a href="${url}">${url}</a>`);

interface MailboxRow {
  id: number;
  recipient: string;
  subject: string;
  text_body: string;
  attachments: DevMailboxAttachment[];
  created_at: Date;
}

const renderAttachment = ({ filename, text }: DevMailboxAttachment): string => {
  const name = escapeHtml(filename);
  if (text === null) return `<p>Attachment: ${name}</p>`;
  const url = `data:application/octet-stream,${encodeURIComponent(text)}`;
  return `<p>Attachment: <a href="${escapeHtml(url)}" download="${name}">${name}</a></p>`;
};

const renderMailbox = (emails: readonly MailboxRow[]): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Development mailbox</title><style>${pageCss}</style></head>
<body><h1>Development mailbox</h1>
<p>No mail server is configured (<code>QUAD_SMTP_URL</code>), so mail is kept here. Only this machine can open this page.</p>
${
  emails
    .map(
      (email) => `<article><h2>${escapeHtml(email.subject)}</h2>
<small>to ${escapeHtml(email.recipient)}, ${email.created_at.toISOString()}</small>
<pre>${linkifyUrls(email.text_body)}</pre>${email.attachments.map(renderAttachment).join('')}<p><a href="/dev/mail/${email.id}">As HTML</a></p></article>`,
    )
    .join('\n') || '<p>Nothing here yet.</p>'
}
</body></html>`;

/**
 * Serves the newest 50 emails at /dev/mail. The page shows log-in codes of all accounts, so it responds only to direct
 * requests from this machine.
 */
export const registerDevMailboxPage = (server: FastifyInstance, sql: Sql): void => {
  const guard = async (request: FastifyRequest) => {
    if (!isDirectLocalRequest(request)) throw createProblem('not_found');
  };
  server.get('/dev/mail', { onRequest: guard }, async (_request, reply) => {
    const emails = await sql<MailboxRow[]>`
      SELECT id, recipient, subject, text_body, attachments, created_at FROM private.mailbox ORDER BY id DESC LIMIT 50`;
    return reply
      .header('cache-control', 'no-store')
      .header(
        'content-security-policy',
        `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'`,
      )
      .type('text/html; charset=utf-8')
      .send(renderMailbox(emails));
  });
  server.get<{ Params: { id: string } }>('/dev/mail/:id', { onRequest: guard }, async (request, reply) => {
    const id = /^\d{1,15}$/.test(request.params.id) ? request.params.id : '0';
    const [email] = await sql<{ html_body: string }[]>`
      SELECT html_body FROM private.mailbox WHERE id = ${id}`;
    if (!email) throw createProblem('not_found');
    return reply
      .header('cache-control', 'no-store')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-popups allow-top-navigation-by-user-activation",
      )
      .type('text/html; charset=utf-8')
      .send(email.html_body);
  });
};

import type { Campus } from '#contract/campus.ts';
import { escapeHtml } from './escape-html.ts';
import type { Attachment, Mail } from './mails.ts';

/** A mail ready to be sent. */
export interface Letter {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Whom an answer goes to, where that is not the sender. */
  replyTo?: string | undefined;
  attachment?: Attachment | undefined;
}

type Highlight = { code: string } | { label: string; url: string };

interface Content {
  subject: string;
  /** Paragraphs before the highlight. */
  before: string[];
  /** A code to be typed, or a button to be pressed. */
  highlight?: Highlight;
  /** What somebody else wrote, quoted. */
  quote?: string;
  after: string[];
}

// A subject is a single line, whatever a listing is called.
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const contentOf = (mail: Mail, campus: Campus, publicUrl: string): Content => {
  switch (mail.kind) {
    case 'signup_code':
      return {
        subject: `${mail.code} is your ${campus.siteName} verification code`,
        before: [`Welcome to ${campus.siteName}. Enter this code to verify your email address:`],
        highlight: { code: mail.code },
        after: [
          'The code works once and expires in 10 minutes. If you did not sign up, ignore this message.',
        ],
      };
    case 'login_code':
      return {
        subject: `${mail.code} is your ${campus.siteName} log-in code`,
        before: ['Enter this code to log in:'],
        highlight: { code: mail.code },
        after: [
          'The code works once and expires in 10 minutes. Nobody who asks you for it should get it: if you did not try to log in, ignore this message.',
        ],
      };
    case 'reset_link':
      return {
        subject: `Reset your ${campus.siteName} password`,
        before: ['Somebody, hopefully you, asked to reset the password of your account.'],
        highlight: { label: 'Choose a new password', url: `${publicUrl}/reset-password/${mail.token}` },
        after: [
          'The link works once and expires in 15 minutes. If it was not you, ignore this message: your password stays as it is.',
        ],
      };
    case 'first_message':
      return {
        subject: oneLine(`${mail.buyerName} wrote to you about "${mail.listingTitle}"`),
        before: [
          `Hi ${mail.sellerName},`,
          `${mail.buyerName} is interested in "${mail.listingTitle}" and wrote:`,
        ],
        quote: mail.messageText,
        highlight: { label: 'Read and answer', url: `${publicUrl}/messages?c=${mail.conversationId}` },
        after: ['Meet in a public, well-lit place on campus, and inspect before paying.'],
      };
    case 'form':
      return {
        subject: oneLine(mail.subject),
        before: Object.entries(mail.facts).map(([label, value]) => `${label}: ${value}`),
        ...(mail.text === undefined ? {} : { quote: mail.text }),
        after: [
          mail.replyTo
            ? `Answering this mail answers ${mail.replyTo}. The address was typed into a form and is not verified.`
            : 'The sender left no address.',
        ],
      };
  }
};

const plain = (content: Content, signature: string): string => {
  const { highlight: lit } = content;
  const highlight = lit && ('code' in lit ? `    ${lit.code}` : `${lit.label}: ${lit.url}`);
  const quote = content.quote === undefined ? [] : [content.quote.replace(/^/gm, '> ')];
  return [
    ...content.before,
    ...quote,
    ...(highlight ? [highlight] : []),
    ...content.after,
    `— ${signature}`,
  ].join('\n\n');
};

const html = (content: Content, signature: string): string => {
  const paragraph = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`;
  const { highlight: lit } = content;
  const highlightOf = (shown: Highlight) =>
    'code' in shown
      ? `<p style="margin:0 0 16px;font-size:32px;font-weight:700;letter-spacing:8px">${escapeHtml(shown.code)}</p>`
      : `<p style="margin:0 0 24px"><a href="${escapeHtml(shown.url)}" style="display:inline-block;padding:12px 20px;border-radius:10px;background:#990000;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(shown.label)}</a></p>`;
  const highlight = lit ? highlightOf(lit) : '';
  const quote =
    content.quote === undefined
      ? ''
      : `<blockquote style="margin:0 0 16px;padding:8px 16px;border-left:4px solid #ffcc00;white-space:pre-wrap">${escapeHtml(content.quote)}</blockquote>`;
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>',
    '<body style="margin:0;padding:24px;background:#faf7f0;color:#1f1a17;font:16px/1.5 system-ui,sans-serif">',
    '<div style="max-width:520px;margin:0 auto;padding:24px;border-radius:14px;background:#ffffff">',
    ...content.before.map(paragraph),
    quote,
    highlight,
    ...content.after.map(paragraph),
    `<p style="margin:24px 0 0;color:#6b625c">— ${escapeHtml(signature)}</p>`,
    '</div></body></html>',
  ].join('\n');
};

/** Writes a mail out, as text and as HTML. */
export const writeLetter = (mail: Mail, campus: Campus, publicUrl: string): Letter => {
  const content = contentOf(mail, campus, publicUrl);
  const signature = `${campus.siteName}, the ${campus.shortName} student marketplace`;
  return {
    to: mail.to,
    subject: content.subject,
    text: plain(content, signature),
    html: html(content, signature),
    ...(mail.kind === 'form' ? { replyTo: mail.replyTo, attachment: mail.attachment } : {}),
  };
};

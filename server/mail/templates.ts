import type { Campus } from '#contract/campus.ts';
import { type Content, renderHtmlLayout, renderPlainLayout, toOneLine } from './email-layout.ts';
import type { Attachment, Mail, UnreadDigest } from './mailer.ts';
import { renderUnreadContent } from './unread-email.ts';

/** A rendered email. */
export interface Email {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Reply address, when it differs from the sender. */
  replyTo?: string | undefined;
  attachment?: Attachment | undefined;
  /** Unsubscribe URL, in emails that have one. */
  stopUrl?: string | undefined;
}

interface RenderContext {
  campus: Campus;
  publicUrl: string;
  stopUrl?: string;
}

/** A kind of email whose content is complete when it is queued. */
type FixedMail = Exclude<Mail, { kind: 'unread_messages' }>;

const renderContent = (mail: FixedMail, { campus, publicUrl }: RenderContext): Content => {
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
        subject: toOneLine(`${mail.buyerName} wrote to you about "${mail.listingTitle}"`),
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
        subject: toOneLine(mail.subject),
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

const renderLayout = (to: string, content: Content, { campus, stopUrl }: RenderContext): Email => {
  const signature = `${campus.siteName}, the ${campus.shortName} student marketplace`;
  const whole: Content =
    stopUrl === undefined
      ? content
      : {
          ...content,
          stop: {
            reason: `${campus.siteName} tells you by email when somebody writes to you while you are away.`,
            link: { label: 'Stop these emails', url: stopUrl },
          },
        };
  return {
    to,
    subject: content.subject,
    text: renderPlainLayout(whole, signature),
    html: renderHtmlLayout(whole, signature),
    stopUrl,
  };
};

/** Renders an email as text and HTML. */
export const renderEmail = (mail: FixedMail, context: RenderContext): Email => ({
  ...renderLayout(mail.to, renderContent(mail, context), context),
  ...(mail.kind === 'form' ? { replyTo: mail.replyTo, attachment: mail.attachment } : {}),
});

/** Renders the email about a person's unread messages. */
export const renderUnreadEmail = (to: string, unreadMail: UnreadDigest, context: RenderContext): Email =>
  renderLayout(to, renderUnreadContent(unreadMail, context.publicUrl), context);

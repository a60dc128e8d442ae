import type { Campus } from '#contract/campus.ts';
import { buildConversationPath } from '#contract/conversations.ts';
import type { NotificationKind } from '#contract/notifications.ts';
import { formatSuspensionEnd } from '#contract/suspensions.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { type DealNoticeDigest, renderDealNoticeContent } from './deal-notice-email.ts';
import { describeEmailOccasion } from './email-kinds.ts';
import { type EmailContent, renderHtmlLayout, renderPlainLayout, toOneLine } from './email-layout.ts';
import { renderHandoverContent } from './handover-email.ts';
import type {
  Attachment,
  CampusAddressAdvice,
  Mail,
  NotificationDigest,
  UnreadMessagesDigest,
} from './mailer.ts';
import { renderNotificationContent } from './notification-email.ts';
import { renderUnreadContent } from './unread-email.ts';

/** A rendered email. */
export interface RenderedEmail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Reply-To address, if replies should not go to the sender. */
  replyTo?: string | undefined;
  attachment?: Attachment | undefined;
  /** An iCalendar file to attach. */
  calendar?: string | undefined;
  /** Unsubscribe URL, in emails that have one. */
  stopUrl?: string | undefined;
}

interface RenderContext {
  campus: Campus;
  publicUrl: string;
  stopUrl?: string;
}

/** An email that was queued with its whole content, so sending it needs no further data. */
type SelfContainedMail = Exclude<Mail, { kind: 'unread_messages' | 'deal_notices' | 'notifications' }>;

const describeTakenAddress = (
  advice: CampusAddressAdvice = 'log_in',
  { campus, publicUrl }: RenderContext,
): Pick<EmailContent, 'highlight' | 'after'> => {
  const end = `write to ${campus.supportEmail}. If it was not you, ignore this message.`;
  if (advice === 'sign_up') return { after: [`If this address is yours now, sign up with it, or ${end}`] };
  if (advice === 'support') return { after: [`If you need help, ${end}`] };
  return {
    highlight: { label: 'Log in with this address', url: `${publicUrl}/login` },
    after: [
      `To use the address for the other account, delete this one first, under Settings in its profile. If you need help, ${end}`,
    ],
  };
};

const highlightAppeal = (
  { appealToken: token }: { appealToken?: string | undefined },
  publicUrl: string,
): Pick<EmailContent, 'highlight'> =>
  token === undefined ? {} : { highlight: { label: 'Appeal', url: `${publicUrl}/appeal/${token}` } };

const formatAppealHint = ({ appealToken: token }: { appealToken?: string | undefined }): string[] =>
  token === undefined ? [] : ['You can appeal once. Another moderator decides, if there is one.'];

/** Renders the content of an email of one kind. */
type ContentRenderer<Kind extends SelfContainedMail['kind']> = (
  mail: Extract<SelfContainedMail, { kind: Kind }>,
  context: RenderContext,
) => EmailContent;

const contentRenderers: { [Kind in SelfContainedMail['kind']]: ContentRenderer<Kind> } = {
  signup_code: (mail, { campus }) => ({
    subject: `${mail.code} is your ${campus.siteName} verification code`,
    before: [`Welcome to ${campus.siteName}. Enter this code to verify your email address:`],
    highlight: { code: mail.code },
    after: ['The code works once and expires in 10 minutes. If you did not sign up, ignore this message.'],
  }),
  login_code: (mail, { campus }) => ({
    subject: `${mail.code} is your ${campus.siteName} log-in code`,
    before: ['Enter this code to log in:'],
    highlight: { code: mail.code },
    after: [
      'The code works once and expires in 10 minutes. Nobody who asks you for it should get it: if you did not try to log in, ignore this message.',
    ],
  }),
  campus_code: (mail, { campus }) => ({
    subject: `${mail.code} is your ${campus.siteName} code for this address`,
    before: [
      `Somebody, hopefully you, is adding this ${campus.shortName} address to an account on ${campus.siteName}, to get the verified badge. Enter this code there, under Settings in your profile:`,
    ],
    highlight: { code: mail.code },
    after: [
      'The code works once and expires in 10 minutes. Nobody who asks you for it should get it: if it was not you, ignore this message.',
      'An address verifies one account. If this one was added to another account before, that account loses it and the badge.',
    ],
  }),
  campus_address_taken: (mail, { campus, publicUrl }) => ({
    subject: `This address already belongs to an account on ${campus.siteName}`,
    before: [
      `Somebody, hopefully you, wanted to add this ${campus.shortName} address to an account on ${campus.siteName}. It already belongs to another account, so there is no code, and nothing was changed.`,
    ],
    ...describeTakenAddress(mail.advice, { campus, publicUrl }),
  }),
  campus_address_moved: (mail, { campus, publicUrl }) => ({
    subject: `Your ${campus.shortName} address was verified for another account on ${campus.siteName}`,
    before: [
      `Somebody who receives mail at ${mail.campusEmail} verified it for another account. An address verifies one account, so yours no longer has it, nor the verified badge. Everything else in your account stays.`,
    ],
    highlight: { label: 'Open Settings', url: `${publicUrl}/profile?tab=settings` },
    after: [`If it was not you, write to ${campus.supportEmail}.`],
  }),
  account_deleted: (_mail, { campus }) => ({
    subject: `Your account on ${campus.siteName} was deleted`,
    before: [
      `An administrator deleted your account on ${campus.siteName}, with your listings and photos. Messages that you sent to others stay, without your name.`,
    ],
    after: [
      `This cannot be undone. If you did not ask for it, or have a question about it, write to ${campus.supportEmail}.`,
    ],
  }),
  account_suspended: (mail, { campus, publicUrl }) => {
    const end = mail.until && formatSuspensionEnd(new Date(mail.until), campus);
    return {
      subject: `Your account on ${campus.siteName} is suspended`,
      before: [
        `An administrator suspended your account on ${campus.siteName}${end ? ` until ${end} (${campus.shortName} time)` : ''}. You cannot log in, your listings are hidden, and your open offers and holds end. A rental that is out has to be returned as agreed.`,
        ...(mail.reason === undefined ? [] : ['The reason:']),
      ],
      ...(mail.reason === undefined ? {} : { quote: mail.reason }),
      ...highlightAppeal(mail, publicUrl),
      after: [
        ...formatAppealHint(mail),
        ...(end ? ['Your listings are shown again when the suspension ends.'] : []),
        `If you think this is wrong, write to ${campus.supportEmail}.`,
      ],
    };
  },
  suspension_lifted: (_mail, { campus, publicUrl }) => ({
    subject: `Your account on ${campus.siteName} is active again`,
    before: [
      'Your account is no longer suspended, and the listings that were hidden with it are shown again.',
    ],
    highlight: { label: 'Log in', url: `${publicUrl}/login` },
    after: ['You need to log in again on each of your devices.'],
  }),
  appeal_decided: (mail, { campus }) => {
    const end = mail.until && formatSuspensionEnd(new Date(mail.until), campus);
    return {
      subject: `Your appeal on ${campus.siteName} was ${mail.isGranted ? 'successful' : 'rejected'}`,
      before: [
        `A moderator ${mail.isGranted ? 'granted' : 'rejected'} your appeal. ${mail.isGranted ? 'Because of another decision, your account is still' : 'Your account is'} suspended${end ? ` until ${end} (${campus.shortName} time)` : ''}.`,
        'The reason:',
      ],
      quote: mail.reason,
      after: [
        ...(end ? ['Your listings are shown again when the suspension ends.'] : []),
        `If you think this is wrong, write to ${campus.supportEmail}.`,
      ],
    };
  },
  decision_made: (mail, { campus, publicUrl }) => ({
    subject: mail.title,
    before: [`${mail.title}.`],
    quote: mail.text,
    ...highlightAppeal(mail, publicUrl),
    after: [
      ...formatAppealHint(mail),
      `You get this email because your account on ${campus.siteName} is suspended. If you think this is wrong, write to ${campus.supportEmail}.`,
    ],
  }),
  reset_link: (mail, { campus, publicUrl }) => ({
    subject: `Reset your ${campus.siteName} password`,
    before: ['Somebody, hopefully you, asked to reset the password of your account.'],
    highlight: { label: 'Choose a new password', url: `${publicUrl}/reset-password/${mail.token}` },
    after: [
      'The link works once and expires in 15 minutes. If it was not you, ignore this message: your password stays as it is.',
    ],
  }),
  first_message: ({ isWritten = true, ...mail }, { publicUrl }) => ({
    subject: `${toOneLine(mail.buyerName)} ${isWritten ? 'wrote to you about' : 'is interested in'} "${toOneLine(mail.listingTitle)}"`,
    before: [
      `Hi ${toOneLine(mail.sellerName)},`,
      `${toOneLine(mail.buyerName)} is interested in "${toOneLine(mail.listingTitle)}"${isWritten ? ' and wrote' : ''}${mail.messageText === undefined ? (isWritten ? ' to you.' : '.') : ':'}`,
    ],
    ...(mail.messageText === undefined ? {} : { quote: mail.messageText }),
    highlight: {
      label: 'Read and answer',
      url: `${publicUrl}${buildConversationPath(mail.conversationId)}`,
    },
    after: ['Meet in a public, well-lit place on campus, and inspect before paying.'],
  }),
  handover: renderHandoverContent,
  form: (mail) => ({
    subject: toOneLine(mail.subject),
    before: Object.entries(mail.facts).map(([label, value]) => `${label}: ${isolateDirection(value)}`),
    ...(mail.text === undefined ? {} : { quote: mail.text }),
    after: [
      mail.replyTo
        ? `Answering this mail answers ${mail.replyTo}. The address was typed into a form and is not verified.`
        : 'The sender left no address.',
    ],
  }),
  form_answer: (mail, { campus }) => ({
    subject: `${toOneLine(mail.subject)}: an answer from ${campus.siteName}`,
    before: mail.text.split(/\n{2,}/),
    ...(mail.question === undefined ? {} : { quote: mail.question }),
    after: [`Reply to this email to reach us again, or write to ${campus.supportEmail}.`],
  }),
};

const renderContent = <Kind extends SelfContainedMail['kind']>(
  mail: Extract<SelfContainedMail, { kind: Kind }>,
  context: RenderContext,
): EmailContent => {
  const render: ContentRenderer<Kind> = contentRenderers[mail.kind];
  return render(mail, context);
};

const renderLayout = (
  to: string,
  content: EmailContent,
  { campus, stopUrl }: RenderContext,
  about: NotificationKind = 'messages',
): RenderedEmail => {
  const signature = `${campus.siteName}, the ${campus.shortName} student marketplace`;
  const whole: EmailContent =
    stopUrl === undefined
      ? content
      : {
          ...content,
          stop: {
            reason: `${campus.siteName} tells you by email ${describeEmailOccasion(about)}.`,
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
export const renderEmail = (mail: SelfContainedMail, context: RenderContext): RenderedEmail => ({
  ...renderLayout(mail.to, renderContent(mail, context), context),
  ...(mail.kind === 'handover' ? { calendar: mail.calendar } : {}),
  ...(mail.kind === 'form_answer' ? { replyTo: context.campus.supportEmail } : {}),
  ...(mail.kind === 'form' ? { replyTo: mail.replyTo, attachment: mail.attachment } : {}),
});

/** Renders the email about a person's unread messages. */
export const renderUnreadEmail = (
  to: string,
  unreadMail: UnreadMessagesDigest,
  context: RenderContext,
): RenderedEmail => renderLayout(to, renderUnreadContent(unreadMail, context.publicUrl), context);

/** Renders the email about a person's deals. */
export const renderDealNoticeEmail = (
  to: string,
  digest: DealNoticeDigest,
  context: RenderContext,
): RenderedEmail => renderLayout(to, renderDealNoticeContent(digest, context), context, 'deals');

/** Renders the email about a person's notifications of one kind. */
export const renderNotificationEmail = (
  to: string,
  digest: NotificationDigest,
  context: RenderContext,
): RenderedEmail =>
  renderLayout(to, renderNotificationContent(digest, context.publicUrl), context, digest.about);

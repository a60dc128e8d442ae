import { formatReturnDay } from '#contract/away.ts';
import { getBrandPalette } from '#contract/brand-colors.ts';
import type { Campus } from '#contract/campus.ts';
import { buildConversationPath } from '#contract/conversations.ts';
import type { NotificationKind } from '#contract/notifications.ts';
import { getSettingsPath } from '#contract/settings-pages.ts';
import { formatSuspensionEnd } from '#contract/suspensions.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { describeEmailOccasion } from './email-kinds.ts';
import { type EmailContent, renderHtmlLayout, renderPlainLayout, toOneLine } from './email-layout.ts';
import { renderHandoverContent } from './handover-email.ts';
import { membershipPath } from './membership-link.ts';

/** A stored file attached to an email. */
export interface Attachment {
  filename: string;
  contentType: string;
  /** Key of the file in the file store. */
  key: string;
}

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
}

/**
 * A code, or the token of a link, that expires. A decoy is queued like any other email but never sent, so that a request
 * for an address without an account takes as long as a request for an existing account.
 */
type SecretMail<Secret extends 'code' | 'token'> = Record<Secret, string> & {
  expiresAt: string;
  decoy?: boolean;
};

/**
 * What the owner of a mailbox can do when their address cannot be added to an account: log in to the account that has it,
 * sign up with it, or only ask for help.
 */
export type CampusAddressAdvice = 'log_in' | 'sign_up' | 'support';

interface AppealLink {
  /** Token of the link for an appeal, because a suspended person cannot log in. It is absent if there is none. */
  appealToken?: string | undefined;
}

interface SuspensionEnd {
  /** When the suspension ends by itself. It is absent if an administrator must lift the suspension. */
  until?: string | undefined;
}

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
  { appealToken: token }: AppealLink,
  publicUrl: string,
): Pick<EmailContent, 'highlight'> =>
  token === undefined ? {} : { highlight: { label: 'Appeal', url: `${publicUrl}/appeal/${token}` } };

const formatAppealHint = ({ appealToken: token }: AppealLink): string[] =>
  token === undefined ? [] : ['You can appeal once. Another moderator decides, if there is one.'];

const membershipSubjects = {
  asked: ({ campus }, day) => `Are you still at ${campus.shortName}? Please confirm by ${day}`,
  ending: ({ campus }, day) => `Your campus membership on ${campus.siteName} ends on ${day}`,
  ended: ({ campus }) => `Your campus membership on ${campus.siteName} has ended`,
  link: ({ campus }) => `Confirm that you are still at ${campus.shortName}`,
} satisfies Record<string, (context: RenderContext, day: string) => string>;

const membershipTexts = {
  asked: (day) =>
    `Once a year we ask whether you are still a member of the campus. Please confirm it by ${day} to keep the verified badge.`,
  ending: (day) => `If nothing changes, the verified badge goes on ${day} and your listings are hidden.`,
  ended: () =>
    'Your verified badge is gone and your listings are hidden, not deleted. Everything returns when you are a member again.',
  link: () => 'Tap the button to confirm your membership of the campus.',
} satisfies Record<keyof typeof membershipSubjects, (day: string) => string>;

const renderMembership = (
  {
    step,
    day,
    isDenied,
    linkToken,
  }: {
    step: keyof typeof membershipSubjects;
    day: string;
    isDenied: boolean;
    linkToken?: string | undefined;
  },
  context: RenderContext,
): EmailContent => {
  const { campus, publicUrl } = context;
  const date = formatReturnDay(day, campus);
  const goesOn =
    'What you have agreed on goes on, and you can download your data or delete your account at any time.';
  return {
    subject: membershipSubjects[step](context, date),
    before: [
      ...(isDenied ? [`${campus.signOn?.name ?? campus.name} no longer states that you are a member.`] : []),
      membershipTexts[step](date),
    ],
    highlight:
      linkToken === undefined
        ? { label: 'Open Settings', url: `${publicUrl}${getSettingsPath('campus-address')}` }
        : {
            label: `Yes, I’m still at ${campus.shortName}`,
            url: `${publicUrl}${membershipPath}/${linkToken}`,
          },
    after: [
      ...(step === 'ending' || step === 'ended' ? [goesOn] : []),
      `If you have a question about this, write to ${campus.supportEmail}.`,
    ],
  };
};

/**
 * The content of emails by kind. The first parameter of a function is what an email of its kind is queued with, and so
 * defines the fields that `mail.send` takes. Dates are in ISO 8601 format.
 */
export const templates = {
  signup_code: (mail: SecretMail<'code'>, { campus }) => ({
    subject: `${mail.code} is your ${campus.siteName} verification code`,
    before: [`Welcome to ${campus.siteName}. Enter this code to verify your email address:`],
    highlight: { code: mail.code },
    after: ['The code works once and expires in 10 minutes. If you did not sign up, ignore this message.'],
  }),
  login_code: (mail: SecretMail<'code'>, { campus }) => ({
    subject: `${mail.code} is your ${campus.siteName} log-in code`,
    before: ['Enter this code to log in:'],
    highlight: { code: mail.code },
    after: [
      'The code works once and expires in 10 minutes. Nobody who asks you for it should get it: if you did not try to log in, ignore this message.',
    ],
  }),
  campus_code: (mail: SecretMail<'code'>, { campus }) => ({
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
  /** Tells the owner of a campus email address that somebody tried to add it to another account, and why that failed. */
  campus_address_taken: (
    mail: {
      expiresAt: string;
      /** What the owner of the mailbox can do. Emails that an earlier version has queued do not say it. */
      advice?: CampusAddressAdvice | undefined;
    },
    { campus, publicUrl },
  ) => ({
    subject: `This address already belongs to an account on ${campus.siteName}`,
    before: [
      `Somebody, hopefully you, wanted to add this ${campus.shortName} address to an account on ${campus.siteName}. It already belongs to another account, so there is no code, and nothing was changed.`,
    ],
    ...describeTakenAddress(mail.advice, { campus, publicUrl }),
  }),
  /**
   * Tells a person, at their log-in email address, that their campus email address was verified for another account, so
   * theirs no longer has it.
   */
  campus_address_moved: (mail: { campusEmail: string }, { campus, publicUrl }) => ({
    subject: `Your ${campus.shortName} address was verified for another account on ${campus.siteName}`,
    before: [
      `Somebody who receives mail at ${mail.campusEmail} verified it for another account. An address verifies one account, so yours no longer has it, nor the verified badge. Everything else in your account stays.`,
    ],
    highlight: { label: 'Open Settings', url: `${publicUrl}${getSettingsPath('campus-address')}` },
    after: [`If it was not you, write to ${campus.supportEmail}.`],
  }),
  /** Asks a person to confirm their membership of the campus, or tells them that it ends or has ended. */
  membership: (
    mail: {
      step: 'asked' | 'ending' | 'ended' | 'link';
      /** The day (YYYY-MM-DD) by which to confirm the membership, or on which it ends. */
      day: string;
      /** Whether the university's sign-on states that the person is no member. */
      isDenied: boolean;
      /** Token of the link that confirms the membership, in emails to the campus address. */
      linkToken?: string | undefined;
    },
    context,
  ) => renderMembership(mail, context),
  /** Tells a person that an administrator deleted their account. */
  account_deleted: (_mail: object, { campus }) => ({
    subject: `Your account on ${campus.siteName} was deleted`,
    before: [
      `An administrator deleted your account on ${campus.siteName}, with your listings and photos. Messages that you sent to others stay, without your name.`,
    ],
    after: [
      `This cannot be undone. If you did not ask for it, or have a question about it, write to ${campus.supportEmail}.`,
    ],
  }),
  account_suspended: (
    mail: SuspensionEnd & AppealLink & { reason?: string | undefined },
    { campus, publicUrl },
  ) => {
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
  suspension_lifted: (_mail: object, { campus, publicUrl }) => ({
    subject: `Your account on ${campus.siteName} is active again`,
    before: [
      'Your account is no longer suspended, and the listings that were hidden with it are shown again.',
    ],
    highlight: { label: 'Log in', url: `${publicUrl}/login` },
    after: ['You need to log in again on each of your devices.'],
  }),
  /** Tells a person who is still suspended how their appeal was decided. */
  appeal_decided: (mail: SuspensionEnd & { isGranted: boolean; reason: string }, { campus }) => {
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
  /**
   * Tells a person who is suspended, and reads no notifications, what else a moderator decided about them. The title is a
   * sentence without a period.
   */
  decision_made: (mail: AppealLink & { title: string; text: string }, { campus, publicUrl }) => ({
    subject: mail.title,
    before: [`${mail.title}.`],
    quote: mail.text,
    ...highlightAppeal(mail, publicUrl),
    after: [
      ...formatAppealHint(mail),
      `You get this email because your account on ${campus.siteName} is suspended. If you think this is wrong, write to ${campus.supportEmail}.`,
    ],
  }),
  reset_link: (mail: SecretMail<'token'>, { campus, publicUrl }) => ({
    subject: `Reset your ${campus.siteName} password`,
    before: ['Somebody, hopefully you, asked to reset the password of your account.'],
    highlight: { label: 'Choose a new password', url: `${publicUrl}/reset-password/${mail.token}` },
    after: [
      'The link works once and expires in 15 minutes. If it was not you, ignore this message: your password stays as it is.',
    ],
  }),
  first_message: (
    {
      isWritten = true,
      ...mail
    }: {
      sellerName: string;
      buyerName: string;
      listingTitle: string;
      /** Text of the message. It is absent in emails to people who want brief emails. */
      messageText?: string | undefined;
      /**
       * Whether the buyer wrote a message. An offer without one is an event line, which the server writes. Absent in emails
       * that earlier versions queued.
       */
      isWritten?: boolean | undefined;
      conversationId: string;
      /** The sequence number of the last quoted message. It is absent in emails that earlier versions queued. */
      toSeq?: number | undefined;
    },
    { publicUrl },
  ) => ({
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
  form: (mail: {
    subject: string;
    /** Email address of the person who sent the form, if the form asks for it. */
    replyTo?: string;
    /** The values that were entered into the form, by field label. */
    facts: Record<string, string>;
    /** The message that was entered into the form. */
    text?: string;
    attachment?: Attachment;
  }) => ({
    subject: toOneLine(mail.subject),
    before: Object.entries(mail.facts).map(([label, value]) => `${label}: ${isolateDirection(value)}`),
    ...(mail.text === undefined ? {} : { quote: mail.text }),
    after: [
      mail.replyTo
        ? `Answering this mail answers ${mail.replyTo}. The address was typed into a form and is not verified.`
        : 'The sender left no address.',
    ],
  }),
  form_answer: (
    mail: {
      /** The topic that was chosen in the form. */
      subject: string;
      text: string;
      /** The message that the person sent with a form and that this email answers. */
      question?: string;
    },
    { campus },
  ) => ({
    subject: `${toOneLine(mail.subject)}: an answer from ${campus.siteName}`,
    before: mail.text.split(/\n{2,}/),
    ...(mail.question === undefined ? {} : { quote: mail.question }),
    after: [`Reply to this email to reach us again, or write to ${campus.supportEmail}.`],
  }),
} satisfies Record<string, (mail: never, context: RenderContext) => EmailContent>;

/** An email that is queued with its whole content, so sending it needs no further data. */
export type SelfContainedMail = {
  [Kind in keyof typeof templates]: { kind: Kind; to: string } & Parameters<(typeof templates)[Kind]>[0];
}[keyof typeof templates];

/** Renders the content of an email as text and HTML. `stop` is the kind of emails that the link at its end switches off. */
export const layOutEmail = (
  to: string,
  content: EmailContent,
  campus: Campus,
  stop?: { kind: NotificationKind; url: string },
): RenderedEmail => {
  const signature = `${campus.siteName}, the ${campus.shortName} student marketplace`;
  const whole: EmailContent = stop
    ? {
        ...content,
        stop: {
          reason: `${campus.siteName} tells you by email ${describeEmailOccasion(stop.kind)}.`,
          link: { label: 'Stop these emails', url: stop.url },
        },
      }
    : content;
  return {
    to,
    subject: content.subject,
    text: renderPlainLayout(whole, signature),
    html: renderHtmlLayout(whole, signature, getBrandPalette(campus.colors?.brand).light.brand),
    stopUrl: stop?.url,
  };
};

/** Renders an email that is queued with its whole content. */
export const renderEmail = (
  mail: SelfContainedMail,
  context: RenderContext,
  stop?: { kind: NotificationKind; url: string },
): RenderedEmail => {
  const render = templates[mail.kind] as (mail: SelfContainedMail, context: RenderContext) => EmailContent;
  return {
    ...layOutEmail(mail.to, render(mail, context), context.campus, stop),
    ...(mail.kind === 'handover' ? { calendar: mail.calendar } : {}),
    ...(mail.kind === 'form_answer' ? { replyTo: context.campus.supportEmail } : {}),
    ...(mail.kind === 'form' ? { replyTo: mail.replyTo, attachment: mail.attachment } : {}),
  };
};

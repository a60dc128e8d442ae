import { maxShownQuestions, type NotificationKind } from '#contract/notifications.ts';
import { type EmailContent, type ListingQuestion, toOneLine } from './email-layout.ts';

/** The content of an email about notifications of one kind. */
export interface NotificationDigest {
  readerName: string;
  about: NotificationKind;
  /**
   * The notifications, latest first. There is at least one. `path` is the path of the page that a
   * notification links to. The text is empty for people who want brief emails.
   */
  items: { title: string; text: string; path: string }[];
  /** In an email about availability, the listings that the recipient is asked about, and after how many days they are paused. */
  availability?: { questions: ListingQuestion[]; pauseDays: number };
}

/** Maximum number of notifications shown in an email. If there are more, the email states only how many. */
const maxShownNotifications = 20;

/** Returns the content of the email that asks whether listings are still available. */
const renderAvailabilityContent = (
  readerName: string,
  { questions, pauseDays }: NonNullable<NotificationDigest['availability']>,
  publicUrl: string,
): EmailContent => {
  const [first] = questions;
  const only = questions.length === 1 ? first : undefined;
  const left = questions.length - maxShownQuestions;
  const days = pauseDays === 1 ? 'a day' : `${pauseDays} days`;
  return {
    subject: only ? `Still for sale? ${only.title}` : 'Still for sale?',
    before: [
      `Hi ${toOneLine(readerName)},`,
      only
        ? `is this still available? Without an answer, we pause it after ${days}: it leaves the lists until you make it active again.`
        : `are these still available? Without an answer, we pause them after ${days}: they leave the lists until you make them active again.`,
    ],
    questions: questions.slice(0, maxShownQuestions),
    ...(left > 0 ? { highlight: { label: `See ${left} more`, url: `${publicUrl}/my-listings` } } : {}),
    after: ['These links answer for you without logging in, so please don’t forward them.'],
  };
};

export const renderNotificationContent = (digest: NotificationDigest, publicUrl: string): EmailContent => {
  const { readerName, items, availability } = digest;
  if (availability) return renderAvailabilityContent(readerName, availability, publicUrl);
  const [only] = items;
  const isOne = only !== undefined && items.length === 1;
  const left = items.length - maxShownNotifications;
  return {
    subject: isOne ? only.title : `${items.length} notifications`,
    before: isOne
      ? [`Hi ${toOneLine(readerName)},`, `${only.title}.`, ...(only.text ? [only.text] : [])]
      : [`Hi ${toOneLine(readerName)},`, 'this is new:'],
    ...(isOne
      ? { highlight: { label: 'Open', url: `${publicUrl}${only.path}` } }
      : {
          threads: items.slice(0, maxShownNotifications).map(({ title, text, path }) => ({
            name: title,
            about: '',
            summary: text.replace(/\s+/g, ' '),
            quotes: [],
            link: { label: 'Open', url: `${publicUrl}${path}` },
          })),
          ...(left > 0
            ? { highlight: { label: `See ${left} more`, url: `${publicUrl}/notifications` } }
            : {}),
        }),
    after: [],
  };
};

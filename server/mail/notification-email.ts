import type { NotificationKind } from '#contract/notifications.ts';
import { type EmailContent, toOneLine } from './email-layout.ts';

/** The content of an email about notifications of one kind. */
export interface NotificationDigest {
  readerName: string;
  about: NotificationKind;
  /**
   * The notifications, latest first. There is at least one. `path` is the path of the page that a
   * notification links to. The text is empty for people who want brief emails.
   */
  items: { title: string; text: string; path: string }[];
}

/** Maximum number of notifications shown in an email. If there are more, the email states only how many. */
const maxShownNotifications = 20;

export const renderNotificationContent = (
  { readerName, items }: NotificationDigest,
  publicUrl: string,
): EmailContent => {
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

import { LinkifyIt } from 'linkify-it';
import type { CampusPhones, CampusTimeZone } from '#contract/campus.ts';
import { links } from '#web/lib/links.ts';
import { parseUrl } from '#web/lib/parse-url.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { downloadCalendarEntry } from './calendar-entry.ts';
import { findMoments, findPhoneNumbers } from './message-details.ts';
import { separateLinks } from './separate-links.ts';

/** A part of a message: text, or a link. */
export type MessagePart = string | { text: string; href: string };

// Matches URLs including any credentials in them, so that `splitAtLinks` can leave URLs with credentials as
// plain text.
const linkFinder = new LinkifyIt({ urlAuth: true }).add('ftp:', null).add('//', null);

/**
 * Splits a message into text and links. Only http(s) URLs and email addresses become links. A
 * link's text begins with its real host: hosts with non-ASCII letters, which can imitate other
 * hosts, are displayed in Punycode, and URLs with credentials ("https://bank.com@evil.com") stay
 * text.
 */
export const splitAtLinks = (text: string): MessagePart[] => {
  const parts: MessagePart[] = [];
  let end = 0;
  for (const { index, lastIndex, schema } of linkFinder.match(separateLinks(text)) ?? []) {
    const [from, to] = removeEmphasis(text, index, lastIndex);
    const raw = text.slice(from, to);
    const link = schema === 'mailto:' ? toMailLink(raw) : toWebLink(raw);
    if (!link) continue;
    if (from > end) parts.push(text.slice(end, from));
    parts.push(link);
    end = to;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
};

/**
 * Returns the range of a link without marks of emphasis around it, as in "*https://example.com/desk*". An asterisk at the
 * end is always one of these, an underscore or a tilde only when there is another one on the other side.
 */
const removeEmphasis = (text: string, index: number, lastIndex: number): [from: number, to: number] => {
  let [from, to] = [index, lastIndex];
  const [before, after] = [text[from - 1] ?? '', text[to] ?? ''];
  const isMark = (character = '', other: string) =>
    character === '*' || (character === other && '_~'.includes(character));
  while (from < to && isMark(text[from], after)) from += 1;
  while (from < to && isMark(text[to - 1], before)) to -= 1;
  return [from, to];
};

const toWebLink = (raw: string): MessagePart | undefined => {
  const url = parseUrl(raw);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  const { href, origin } = url;
  const asTyped = raw.toLowerCase().startsWith(origin) && /^([/?#]|$)/.test(raw.slice(origin.length));
  return { text: asTyped ? raw : href, href };
};

const toMailLink = (raw: string): MessagePart | undefined => {
  const [, address] = /^(?:mailto:)?([^@]+@[a-z0-9.-]+)$/i.exec(raw) ?? [];
  return address ? { text: raw, href: links.mail(address) } : undefined;
};

/** A part of a message: text, a link, or a day with a time on the campus. */
type DetailedPart = MessagePart | { text: string; isMoment: true; punctuation: string };

/** Which day it is hardly ever decides whether a text names one. */
const recognitionTimeZone: CampusTimeZone = { timezone: 'UTC' };

/** Splits a message into text, links, phone numbers and days with a time. */
export const splitMessage = (text: string, sentAt: string, campus: CampusPhones): DetailedPart[] =>
  splitAtLinks(text).flatMap((part): DetailedPart[] => {
    if (typeof part !== 'string') return [part];
    const found = [
      ...findPhoneNumbers(part, campus).map(({ meaning, ...it }) => ({ ...it, href: `tel:${meaning}` })),
      ...findMoments(part, sentAt, recognitionTimeZone).map(({ index, text: moment }) => ({
        index,
        text: moment,
        isMoment: true as const,
        punctuation: /^[?!.,;:)]*/.exec(part.slice(index + moment.length))?.[0] ?? '',
      })),
    ].sort((a, b) => a.index - b.index);
    const parts: DetailedPart[] = [];
    let end = 0;
    for (const { index, ...detail } of found) {
      if (index < end) continue;
      if (index > end) parts.push(part.slice(end, index));
      parts.push(detail);
      end = index + detail.text.length + ('isMoment' in detail ? detail.punctuation.length : 0);
    }
    if (end < part.length) parts.push(part.slice(end));
    return parts;
  });

const linkClassName = 'underline underline-offset-2';

interface MessageTextProps {
  text: string;
  /** When the message was sent: a weekday in it is the first one from then on. */
  sentAt: string;
}

interface CalendarButtonProps extends MessageTextProps {
  moment: string;
  /** What follows in the text. A line may break after a button, but not before a question mark. */
  punctuation: string;
}

/** A day with a time in a message, which downloads an entry for the calendar. */
function CalendarButton({ text, moment, punctuation, sentAt }: CalendarButtonProps) {
  const campus = useCampus();
  const download = () => {
    const [found] = findMoments(moment, sentAt, campus);
    if (found) downloadCalendarEntry(text, found.meaning, campus);
  };
  return (
    <button type="button" title="Add to calendar" onClick={download}>
      <span className={linkClassName}>{moment}</span>
      {punctuation && <span>{punctuation}</span>}
    </button>
  );
}

/**
 * The text of a message. URLs, email addresses and phone numbers in it are links, and a day with a time becomes an entry
 * for the calendar.
 */
export function MessageText({ text, sentAt }: MessageTextProps) {
  const campus = useCampus();
  return splitMessage(text, sentAt, campus).map((part, index) => {
    if (typeof part === 'string') return part;
    if ('isMoment' in part)
      return (
        <CalendarButton
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
          key={index}
          text={text}
          sentAt={sentAt}
          moment={part.text}
          punctuation={part.punctuation}
        />
      );
    const { text: shown, href } = part;
    return (
      <a
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
        key={index}
        href={href}
        rel="noopener nofollow ugc"
        target={/^https?:/.test(href) ? '_blank' : undefined}
        // Displays the link left to right and isolated, so that right-to-left letters in it cannot
        // reorder the text around its host.
        dir="ltr"
        className={linkClassName}
      >
        {shown}
      </a>
    );
  });
}

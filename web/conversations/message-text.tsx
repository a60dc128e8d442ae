import { LinkifyIt } from 'linkify-it';
import { links } from '#web/lib/links.ts';
import { parseUrl } from '#web/lib/parse-url.ts';
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

/** The text of a message, in which URLs and email addresses are links. */
export function MessageText({ text }: { text: string }) {
  return splitAtLinks(text).map((part, index) => {
    if (typeof part === 'string') return part;
    const { text: shown, href } = part;
    return (
      <a
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
        key={index}
        href={href}
        rel="noopener nofollow ugc"
        target={href.startsWith('mailto:') ? undefined : '_blank'}
        // Displays the link left to right and isolated, so that right-to-left letters in it cannot
        // reorder the text around its host.
        dir="ltr"
        className="underline underline-offset-2"
      >
        {shown}
      </a>
    );
  });
}

import { LinkifyIt } from 'linkify-it';
import { parseUrl } from '#web/lib/parse-url.ts';

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
  for (const { index, lastIndex, raw, schema } of linkFinder.match(text) ?? []) {
    const link = schema === 'mailto:' ? toMailLink(raw) : toWebLink(raw);
    if (!link) continue;
    if (index > end) parts.push(text.slice(end, index));
    parts.push(link);
    end = lastIndex;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
};

const toWebLink = (raw: string): MessagePart | undefined => {
  const url = parseUrl(raw);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  const { href, origin } = url;
  const asTyped = raw.toLowerCase().startsWith(origin) && /^([/?#]|$)/.test(raw.slice(origin.length));
  return { text: asTyped ? raw : href, href };
};

const toMailLink = (raw: string): MessagePart | undefined => {
  const [, name = '', host = ''] = /^(?:mailto:)?([^@]+)@([a-z0-9.-]+)$/i.exec(raw) ?? [];
  // Encode the local part of the email address, because a "?" or "," in it would add a subject or another
  // recipient.
  return host ? { text: raw, href: `mailto:${encodeURIComponent(name)}@${host}` } : undefined;
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

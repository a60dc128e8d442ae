import { LinkifyIt } from 'linkify-it';

/** A part of a message: text, or a link. */
export type MessagePart = string | { text: string; href: string };

// Matches URLs with credentials too, so that such a URL stays text as a whole.
const linkFinder = new LinkifyIt({ urlAuth: true }).add('ftp:', null).add('//', null);

/**
 * Splits a message into text and links. Only http, https and email addresses become links, and the text of a link
 * begins with the host that it leads to: hosts with letters outside of ASCII, which may look like others, are shown in
 * Punycode, and URLs with credentials ("https://bank.com@evil.com") stay text.
 */
export const splitLinks = (text: string): MessagePart[] => {
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
  const url = URL.parse(raw);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  const { href, origin } = url;
  const asTyped = raw.toLowerCase().startsWith(origin) && /^([/?#]|$)/.test(raw.slice(origin.length));
  return { text: asTyped ? raw : href, href };
};

const toMailLink = (raw: string): MessagePart | undefined => {
  const [, name = '', host = ''] = /^(?:mailto:)?([^@]+)@([a-z0-9.-]+)$/i.exec(raw) ?? [];
  // Encoded, because "?" and "," in a name would add a subject or a second recipient.
  return host ? { text: raw, href: `mailto:${encodeURIComponent(name)}@${host}` } : undefined;
};

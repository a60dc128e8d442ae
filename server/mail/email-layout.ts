import { normalizeLine } from '#contract/text.ts';
import { isolateDirection } from '#contract/text-direction.ts';

/** Safety advice about meeting somebody, at the end of emails. */
export const safetyAdvice = 'Meet in a public, well-lit place on campus, and inspect before paying.';

/**
 * Returns a text that somebody wrote as one line, for use within a sentence. Old texts, stored before the current
 * rules for text, may still contain direction controls, which would reverse the text next to them.
 */
export const toOneLine = (text: string): string => isolateDirection(normalizeLine(text));

/** Escapes a text for HTML, between tags or inside a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

export interface EmailLink {
  label: string;
  url: string;
}

/** Quoted messages from one person about one listing. */
export interface QuotedConversation {
  name: string;
  about: string;
  /** The number of messages in words, such as "2 new messages". */
  summary: string;
  quotes: string[];
  link: EmailLink;
}

/** A listing of the recipient, with the answers to a question about it. */
export interface ListingQuestion {
  title: string;
  price: string;
  /** URL of a photo, which mail programs load from the site. */
  photoUrl?: string | undefined;
  answers: EmailLink[];
}

export interface EmailContent {
  subject: string;
  before: string[];
  /** Quoted text that another person wrote. */
  quote?: string;
  threads?: QuotedConversation[];
  questions?: ListingQuestion[];
  /** A code that the recipient types in, or a link shown as a button. */
  highlight?: { code: string } | EmailLink;
  after: string[];
  /** Why the recipient gets this email, and how to unsubscribe. */
  stop?: { reason: string; link: EmailLink };
}

const quoteLines = (text: string): string => text.replace(/^/gm, '> ');

const renderPlainThread = ({ name, about, summary, quotes, link }: QuotedConversation): string =>
  [`${name} · ${about}`, summary, ...quotes.map(quoteLines), `${link.label}: ${link.url}`].join('\n');

const renderPlainQuestion = ({ title, price, answers }: ListingQuestion): string =>
  [`${title} · ${price}`, ...answers.map(({ label, url }) => `${label}: ${url}`)].join('\n');

export const renderPlainLayout = (content: EmailContent, signature: string): string => {
  const { highlight: highlighted, quote, threads = [], questions = [], stop } = content;
  const highlight =
    highlighted &&
    ('code' in highlighted ? `    ${highlighted.code}` : `${highlighted.label}: ${highlighted.url}`);
  return [
    ...content.before,
    ...(quote === undefined ? [] : [quoteLines(quote)]),
    ...threads.map(renderPlainThread),
    ...questions.map(renderPlainQuestion),
    ...(highlight ? [highlight] : []),
    ...content.after,
    `— ${signature}`,
    ...(stop ? [`${stop.reason}\n${stop.link.label}: ${stop.link.url}`] : []),
  ].join('\n\n');
};

const mutedColor = '#6b625c';

// The direction of a paragraph follows its first letter, unless that may belong to an isolated name in a sentence.
const renderParagraph = (text: string): string =>
  `<p${text.includes('\u2068') ? '' : ' dir="auto"'} style="margin:0 0 16px;white-space:pre-line">${escapeHtml(text)}</p>`;

const renderButton = ({ label, url }: EmailLink, margin: string, brand: string): string =>
  `<p style="margin:${margin}"><a href="${escapeHtml(url)}" style="display:inline-block;padding:12px 20px;border-radius:10px;background:${brand};color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>`;

const renderCode = (text: string): string =>
  `<p style="margin:0 0 16px;font-size:32px;font-weight:700;letter-spacing:8px">${escapeHtml(text)}</p>`;

const renderQuote = (text: string, margin: string): string =>
  `<blockquote dir="auto" style="margin:${margin};padding:8px 16px;border-left:4px solid #ffcc00;white-space:pre-wrap;overflow-wrap:anywhere">${escapeHtml(text)}</blockquote>`;

const renderHtmlThread = (
  { name, about, summary, quotes, link }: QuotedConversation,
  brand: string,
): string =>
  [
    '<div style="margin:0 0 16px;padding:16px;border:1px solid #e5dac6;border-radius:14px;background:#fffdf8">',
    `<p style="margin:0;font-weight:700">${escapeHtml(name)}</p>`,
    `<p style="margin:0 0 12px;color:${mutedColor};font-size:14px">${escapeHtml(about)} · ${escapeHtml(summary)}</p>`,
    ...quotes.map((quote) => renderQuote(quote, '0 0 8px')),
    renderButton(link, '16px 0 0', brand),
    '</div>',
  ].join('\n');

const renderHtmlAnswer = ({ label, url }: EmailLink, index: number, brand: string): string => {
  const colors = index === 0 ? `background:${brand};color:#ffffff` : `background:#ffffff;color:${brand}`;
  return `<a href="${escapeHtml(url)}" style="display:inline-block;margin:0 8px 8px 0;padding:10px 14px;border:1px solid ${brand};border-radius:10px;${colors};font-weight:600;text-decoration:none">${escapeHtml(label)}</a>`;
};

const renderHtmlQuestion = ({ title, price, photoUrl, answers }: ListingQuestion, brand: string): string => {
  const photo =
    photoUrl === undefined
      ? ''
      : `<td style="padding:0 12px 0 0;width:72px"><img src="${escapeHtml(photoUrl)}" alt="" width="72" height="72" style="display:block;width:72px;height:72px;border-radius:10px;object-fit:cover"></td>`;
  return [
    '<div style="margin:0 0 16px;padding:16px 16px 8px;border:1px solid #e5dac6;border-radius:14px;background:#fffdf8">',
    `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 12px"><tr>${photo}<td>`,
    `<p dir="auto" style="margin:0;font-weight:700">${escapeHtml(title)}</p>`,
    `<p style="margin:0;color:${mutedColor};font-size:14px">${escapeHtml(price)}</p>`,
    '</td></tr></table>',
    ...answers.map((answer, index) => renderHtmlAnswer(answer, index, brand)),
    '</div>',
  ].join('\n');
};

const renderUnsubscribeLine = ({ reason, link }: { reason: string; link: EmailLink }): string =>
  `<p style="max-width:520px;margin:16px auto 0;padding:0 24px;color:${mutedColor};font-size:13px">${escapeHtml(reason)}<br><a href="${escapeHtml(link.url)}" style="display:inline-block;padding:12px 0;color:${mutedColor};text-decoration:underline">${escapeHtml(link.label)}</a></p>`;

/**
 * Renders the content as HTML for mail programs: inline styles, no scripts, and no remote resources except photos. `brand` is
 * the color of buttons.
 */
export const renderHtmlLayout = (content: EmailContent, signature: string, brand: string): string => {
  const { highlight: highlighted, quote, threads = [], questions = [], stop } = content;
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>',
    '<body style="margin:0;padding:24px;background:#faf7f0;color:#1f1a17;font:16px/1.5 system-ui,sans-serif">',
    '<div style="max-width:520px;margin:0 auto;padding:24px;border-radius:14px;background:#ffffff">',
    ...content.before.map(renderParagraph),
    ...(quote === undefined ? [] : [renderQuote(quote, '0 0 16px')]),
    ...threads.map((thread) => renderHtmlThread(thread, brand)),
    ...questions.map((question) => renderHtmlQuestion(question, brand)),
    ...(highlighted
      ? ['code' in highlighted ? renderCode(highlighted.code) : renderButton(highlighted, '0 0 24px', brand)]
      : []),
    ...content.after.map(renderParagraph),
    `<p style="margin:24px 0 0;color:${mutedColor}">— ${escapeHtml(signature)}</p>`,
    '</div>',
    ...(stop ? [renderUnsubscribeLine(stop)] : []),
    '</body></html>',
  ].join('\n');
};

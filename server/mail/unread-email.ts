import { type Content, oneLine, type Thread } from './email-layout.ts';
import type { UnreadConversation, UnreadDigest } from './mailer.ts';

/** Maximum number of conversations shown; the rest are only counted. */
const shownConversations = 10;
/** Maximum length of a quoted message, in grapheme clusters. */
const quotedCharacters = 140;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Returns the beginning of a message on one line. */
const excerpt = (text: string): string => {
  const characters = Array.from(graphemes.segment(oneLine(text)), ({ segment }) => segment);
  if (characters.length <= quotedCharacters) return characters.join('');
  return `${characters.slice(0, quotedCharacters).join('').trimEnd()}…`;
};

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const subjectOf = (conversations: readonly UnreadConversation[], total: number): string => {
  const [only] = conversations;
  if (!only || conversations.length > 1) {
    return `${counted(total, 'new message')} in ${conversations.length} conversations`;
  }
  const what = total === 1 ? 'New message' : `${total} new messages`;
  return oneLine(`${what} from ${only.otherName} about "${only.listingTitle}"`);
};

const threadOf = (conversation: UnreadConversation, publicUrl: string): Thread => {
  const { count, beginnings } = conversation;
  const hidden = count - beginnings.length;
  return {
    name: oneLine(conversation.otherName),
    about: oneLine(conversation.listingTitle),
    summary:
      hidden > 0 ? `${counted(count, 'new message')}, the last of them:` : counted(count, 'new message'),
    quotes: beginnings.map(excerpt),
    link: { label: 'Read and answer', url: `${publicUrl}/messages?c=${conversation.id}` },
  };
};

/** Returns the content of the email about unread messages. */
export const unreadContent = ({ readerName, conversations }: UnreadDigest, publicUrl: string): Content => {
  const total = conversations.reduce((sum, { count }) => sum + count, 0);
  const left = conversations.length - shownConversations;
  return {
    subject: subjectOf(conversations, total),
    before: [
      `Hi ${readerName},`,
      total === 1
        ? 'a message came in while you were away:'
        : `${total} messages came in while you were away:`,
    ],
    threads: conversations.slice(0, shownConversations).map((it) => threadOf(it, publicUrl)),
    ...(left > 0
      ? { highlight: { label: `See ${counted(left, 'more conversation')}`, url: `${publicUrl}/messages` } }
      : {}),
    after: ['Meet in a public, well-lit place on campus, and inspect before paying.'],
  };
};

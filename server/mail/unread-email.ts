import { buildConversationPath } from '#contract/conversations.ts';
import { normalizeLine } from '#contract/text.ts';
import { type EmailContent, type QuotedConversation, safetyAdvice, toOneLine } from './email-layout.ts';

/** The content of an email about unread messages. */
export interface UnreadMessagesDigest {
  readerName: string;
  /** The conversations with unread messages, newest first. There is at least one. */
  conversations: UnreadConversation[];
}

interface UnreadConversation {
  id: string;
  otherName: string;
  listingTitle: string;
  /** Number of unread messages that no email has mentioned yet. */
  count: number;
  /** Whether the other person wrote one of them. The others are event lines, which the server writes. */
  isWritten: boolean;
  /** The beginnings of the newest unread messages, oldest first. */
  beginnings: string[];
}

/** Maximum number of conversations shown in an email. If there are more, the email states only how many. */
const maxShownConversations = 10;
/** Maximum length of a quoted message, in grapheme clusters. */
const maxQuotedCharacters = 140;

const graphemeSegmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Returns the beginning of a message on one line, at most 140 characters. */
export const toMessageExcerpt = (text: string): string => {
  const characters = Array.from(graphemeSegmenter.segment(normalizeLine(text)), ({ segment }) => segment);
  if (characters.length <= maxQuotedCharacters) return characters.join('');
  return `${characters.slice(0, maxQuotedCharacters).join('').trimEnd()}…`;
};

const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Returns the noun for unread messages. Nobody wrote a message if all of them are event lines. */
const nameMessages = (conversations: readonly UnreadConversation[]): string =>
  conversations.some(({ isWritten }) => isWritten) ? 'new message' : 'update';

const formatSubject = (conversations: readonly UnreadConversation[], total: number): string => {
  const [only] = conversations;
  const noun = nameMessages(conversations);
  if (!only || conversations.length > 1) {
    return `${formatCount(total, noun)} in ${conversations.length} conversations`;
  }
  if (!only.isWritten) return `News about "${toOneLine(only.listingTitle)}"`;
  const what = total === 1 ? 'New message' : `${total} new messages`;
  return `${what} from ${toOneLine(only.otherName)} about "${toOneLine(only.listingTitle)}"`;
};

const toEmailThread = (conversation: UnreadConversation, publicUrl: string): QuotedConversation => {
  const { count, beginnings } = conversation;
  const hidden = count - beginnings.length;
  const number = formatCount(count, nameMessages([conversation]));
  return {
    name: toOneLine(conversation.otherName),
    about: toOneLine(conversation.listingTitle),
    summary: hidden > 0 && beginnings.length > 0 ? `${number}, the last of them:` : number,
    quotes: beginnings.map(toMessageExcerpt),
    link: { label: 'Read and answer', url: `${publicUrl}${buildConversationPath(conversation.id)}` },
  };
};

const formatIntroduction = (conversations: readonly UnreadConversation[], total: number): string => {
  if (nameMessages(conversations) === 'update') return 'this happened while you were away:';
  return total === 1
    ? 'a message came in while you were away:'
    : `${total} messages came in while you were away:`;
};

/** Returns the content of the email about unread messages. */
export const renderUnreadContent = (
  { readerName, conversations }: UnreadMessagesDigest,
  publicUrl: string,
): EmailContent => {
  const total = conversations.reduce((sum, { count }) => sum + count, 0);
  const left = conversations.length - maxShownConversations;
  return {
    subject: formatSubject(conversations, total),
    before: [`Hi ${toOneLine(readerName)},`, formatIntroduction(conversations, total)],
    threads: conversations.slice(0, maxShownConversations).map((it) => toEmailThread(it, publicUrl)),
    ...(left > 0
      ? {
          highlight: { label: `See ${formatCount(left, 'more conversation')}`, url: `${publicUrl}/messages` },
        }
      : {}),
    after: [safetyAdvice],
  };
};

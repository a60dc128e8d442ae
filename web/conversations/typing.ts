import { toConversationTopic, typingIntervalSeconds } from '#contract/realtime.ts';
import { getSessionSnapshot } from '#web/lib/session.ts';
import { pushToTopic } from '#web/lib/socket.ts';
import { getCachedOwnProfile } from '#web/profiles/public.ts';

/** A second more than the server requires, because the frames of a person do not all take the same time. */
const intervalMs = (typingIntervalSeconds + 1) * 1000;

let announced: { conversationId: string; at: number } | undefined;

/** Tells the other party that the person is typing, unless the person has switched that off. Called for every change. */
export const announceTyping = (conversationId: string): void => {
  const { user } = getSessionSnapshot();
  if (!user || !getCachedOwnProfile(user.id)?.show_typing) return;
  const at = Date.now();
  if (announced?.conversationId === conversationId && at - announced.at < intervalMs) return;
  announced = { conversationId, at };
  pushToTopic(toConversationTopic(conversationId), 'typing');
};

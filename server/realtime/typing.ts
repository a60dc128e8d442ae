import { type BusMessage, typingIntervalSeconds } from '#contract/realtime.ts';
import type { App } from '#server/app.ts';
import { isTypingShared } from '#server/features/conversations/public.ts';
import { sendEvent, type TopicListener } from './live-socket.ts';
import { createThrottle, type Throttle } from './throttle.ts';

/** How often people may say that they are typing: through this process, and on the way to its listeners. */
export interface TypingThrottles {
  readonly received: Throttle;
  readonly shown: Throttle;
}

export const createTypingThrottles = ({ clock }: App): TypingThrottles => {
  const create = () => createThrottle(typingIntervalSeconds * 1000, () => clock.elapsed());
  return { received: create(), shown: create() };
};

/**
 * Publishes that a party of a conversation is typing. Says nothing about whether it did: frames that come too often are
 * dropped, and so are those of people who do not share it.
 */
export const announceTyping = async (
  { app, typing }: { app: App; typing: TypingThrottles },
  { kind, id, userId }: TopicListener,
): Promise<void> => {
  if (kind !== 'conversation' || !typing.received.pass(userId)) return;
  if (await isTypingShared(app, { id, userId }))
    await app.bus.publish({ kind: 'typing', conversation_id: id, user_id: userId });
};

/** Tells the listeners of the other party. The interval counts again, because the person may use several processes. */
export const deliverTyping = (
  {
    conversationListeners,
    typing,
  }: {
    conversationListeners: ReadonlyMap<string, ReadonlySet<TopicListener>>;
    typing: TypingThrottles;
  },
  { conversation_id: id, user_id: userId }: Extract<BusMessage, { kind: 'typing' }>,
): void => {
  const others = [...(conversationListeners.get(id) ?? [])].filter((listener) => listener.userId !== userId);
  if (others.length === 0 || !typing.shown.pass(userId)) return;
  const payload = JSON.stringify({ user_id: userId });
  for (const listener of others) sendEvent(listener, 'typing', payload);
};

import type { ErrorCode } from '#contract/errors.ts';
import { type ChannelFrame, joinTopicSchema, renewTokenSchema } from '#contract/realtime.ts';
import { idSchema } from '#contract/text.ts';
import type { ConversationService } from '#server/features/conversations/public.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Log } from '#server/platform/process/log.ts';
import type { Session, SessionVerifier } from '#server/platform/process/request-context.ts';
import type { LiveDelivery } from './delivery.ts';
import { formatErrorReply, formatOkReply } from './frames.ts';
import {
  isSocketOpen,
  type LiveSocket,
  replyAndFlushEvents,
  sendEvent,
  sendFrame,
  type TopicListener,
} from './live-socket.ts';

/** Maximum number of topics per socket. */
const maxTopics = 100;

export interface ChannelsDeps {
  authenticate: SessionVerifier;
  conversations: Pick<ConversationService, 'findLastSeq' | 'countUnread'>;
  delivery: LiveDelivery;
  /**
   * Returns whether the session is known to have ended recently. It is called after a token was verified,
   * because the session may have ended during the verification.
   */
  hasEnded: (sessionId: string) => boolean;
  clock: Clock;
  log: Pick<Log, 'warn'>;
}

interface Topic {
  kind: TopicListener['kind'];
  id: string;
}

const parseTopic = (topic: string): Topic | undefined => {
  const [, kind, name] = /^(conversation|user):(.+)$/.exec(topic) ?? [];
  const id = idSchema.safeParse(name).data;
  return id === undefined ? undefined : { kind: kind as Topic['kind'], id };
};

/**
 * Creates the handler of the channel protocol: joining a topic, renewing the token and leaving the topic.
 * Every frame gets exactly one reply.
 */
export const createChannelHandler = (deps: ChannelsDeps) => {
  const { authenticate, conversations, delivery, hasEnded, clock, log } = deps;

  // Cache the last verified token: most clients join several topics with the same token, and verifying its
  // signature is most of the work of a join.
  const findSession = async (socket: LiveSocket, accessToken: string): Promise<Session | undefined> => {
    const { verified } = socket;
    const session =
      verified?.accessToken === accessToken ? verified.session : await authenticate(accessToken);
    if (!session || hasEnded(session.sessionId)) return undefined;
    socket.verified = { accessToken, session };
    return session;
  };

  const removeListener = (listener: TopicListener): void => {
    const { socket, topic } = listener;
    delivery.leave(listener);
    socket.listeners.delete(topic);
    if (socket.listeners.size === 0) socket.idleSince = clock.elapsed();
  };

  const closeChannel = (listener: TopicListener, event: 'phx_close' | 'phx_error'): void => {
    removeListener(listener);
    sendEvent(listener, event);
  };

  /**
   * Returns the initial cursor of a new listener. Returns undefined when the topic does not exist or the
   * person may not listen to it.
   */
  const findInitialCursor = async ({ kind, id }: Topic, userId: string, afterSeq?: number) => {
    if (kind === 'user') return id === userId ? 0 : undefined;
    const lastSeq = await conversations.findLastSeq({ id, userId });
    return lastSeq === undefined ? undefined : Math.min(afterSeq ?? lastSeq, lastSeq);
  };

  /**
   * Replies to a join. On a person's own topic, the payload of the reply contains the total unread count; on
   * the topic of a conversation, the payload is empty.
   */
  const replyToJoin = async (
    listener: TopicListener,
    frame: ChannelFrame,
  ): Promise<ErrorCode | undefined> => {
    const { kind, id, socket, topic } = listener;
    if (kind === 'conversation') {
      replyAndFlushEvents(listener, formatOkReply(frame));
      return undefined;
    }
    try {
      const unread_total = await conversations.countUnread(id);
      if (socket.listeners.get(topic) !== listener) return 'unavailable';
      replyAndFlushEvents(listener, formatOkReply(frame, { unread_total }));
      return undefined;
    } catch (error) {
      if (socket.listeners.get(topic) === listener) removeListener(listener);
      throw error;
    }
  };

  const joinTopic = async (socket: LiveSocket, frame: ChannelFrame): Promise<ErrorCode | undefined> => {
    const [joinRef, , topic, , payload] = frame;
    const request = joinTopicSchema.safeParse(payload).data;
    if (!request) return 'malformed_request';
    const session = await findSession(socket, request.access_token);
    if (!session) return 'not_authenticated';
    const { userId, sessionId, expiresAt } = session;
    const parsedTopic = parseTopic(topic);
    const cursor = parsedTopic && (await findInitialCursor(parsedTopic, userId, request.after_seq));
    if (!parsedTopic || cursor === undefined) return 'not_found';
    if (!socket.listeners.has(topic) && socket.listeners.size >= maxTopics) return 'rate_limited';
    if (socket.userId !== userId && !(await socket.slot.claim(userId))) return 'rate_limited';
    socket.userId = userId;
    if (hasEnded(sessionId)) return 'not_authenticated';
    if (!isSocketOpen(socket)) return undefined;

    const earlier = socket.listeners.get(topic);
    if (earlier) closeChannel(earlier, 'phx_close');
    const listener: TopicListener = {
      ...parsedTopic,
      ...{ socket, topic, joinRef, userId, sessionId, expiresAt, cursor },
      heldBack: [],
    };
    socket.listeners.set(topic, listener);
    socket.idleSince = undefined;
    delivery.join(listener);
    return replyToJoin(listener, frame);
  };

  const renewToken = async (listener: TopicListener, payload: unknown): Promise<ErrorCode | undefined> => {
    const request = renewTokenSchema.safeParse(payload).data;
    if (!request) return 'malformed_request';
    const session = await findSession(listener.socket, request.access_token);
    if (session?.userId !== listener.userId) return 'not_authenticated';
    listener.sessionId = session.sessionId;
    listener.expiresAt = session.expiresAt;
    return undefined;
  };

  const processFrame = async (socket: LiveSocket, frame: ChannelFrame): Promise<void> => {
    const [joinRef, , topic, event, payload] = frame;
    if (event === 'phx_join') {
      const reason = await joinTopic(socket, frame);
      if (reason) sendFrame(socket, formatErrorReply(frame, reason));
      return;
    }
    const current = socket.listeners.get(topic);
    // Treat a frame for an earlier join of the topic like a frame for a topic that was never
    // joined.
    const listener = current?.joinRef === joinRef ? current : undefined;
    if (event === 'phx_leave') {
      sendFrame(socket, formatOkReply(frame));
      if (listener) closeChannel(listener, 'phx_close');
      return;
    }
    const isRenewal = listener && event === 'access_token';
    const reason = isRenewal ? await renewToken(listener, payload) : 'not_found';
    sendFrame(socket, reason ? formatErrorReply(frame, reason) : formatOkReply(frame));
  };

  return {
    /** Handles a frame and sends exactly one reply, whatever the frame contains. */
    handle: async (socket: LiveSocket, frame: ChannelFrame): Promise<void> => {
      if (!isSocketOpen(socket)) return;
      try {
        await processFrame(socket, frame);
      } catch (error) {
        log.warn({ err: error }, 'A live channel could not be served');
        sendFrame(socket, formatErrorReply(frame, 'unavailable'));
      }
    },

    /** Closes the channels of a socket whose tokens expired; the client then rejoins with its current token. */
    expire: (socket: LiveSocket): void => {
      const now = clock.now();
      for (const listener of socket.listeners.values()) {
        if (listener.expiresAt <= now) closeChannel(listener, 'phx_error');
      }
    },

    /** Makes every client rejoin its topics. It is called when messages on the bus may have been missed. */
    makeAllRejoin: (): void => {
      for (const listener of delivery.listeners()) closeChannel(listener, 'phx_error');
    },
  };
};

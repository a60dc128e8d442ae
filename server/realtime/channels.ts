import type { ErrorCode } from '#contract/errors.ts';
import { type ChannelFrame, joinTopicSchema, renewTokenSchema } from '#contract/realtime.ts';
import { idSchema } from '#contract/text.ts';
import { countUnreadMessages, findConversationProgress } from '#server/features/conversations/public.ts';
import type { Session, SessionVerifier } from '#server/platform/process/request-context.ts';
import { addListener, type LiveDelivery, listListeners, removeListener } from './delivery.ts';
import { formatErrorReply, formatOkReply } from './frames.ts';
import {
  isSocketOpen,
  type LiveSocket,
  replyAndFlushEvents,
  sendEvent,
  sendFrame,
  type TopicListener,
} from './live-socket.ts';
import { announceTyping } from './typing.ts';

// The channel protocol: joining a topic, renewing the token, typing and leaving the topic. Every frame gets exactly one
// reply.

/** Maximum number of topics per socket. */
const maxTopics = 100;

/** What the channels of all sockets share. */
export interface Channels {
  authenticate: SessionVerifier;
  delivery: LiveDelivery;
  /**
   * Returns whether the session is known to have ended recently. It is called after a token was verified,
   * because the session may have ended during the verification.
   */
  hasEnded: (sessionId: string) => boolean;
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

// Cache the last verified token: most clients join several topics with the same token, and verifying its
// signature is most of the work of a join.
const findSession = async (
  { authenticate, hasEnded }: Channels,
  socket: LiveSocket,
  accessToken: string,
): Promise<Session | undefined> => {
  const { verified } = socket;
  const session = verified?.accessToken === accessToken ? verified.session : await authenticate(accessToken);
  if (!session || hasEnded(session.sessionId)) return undefined;
  socket.verified = { accessToken, session };
  return session;
};

const leaveTopic = ({ delivery }: Channels, listener: TopicListener): void => {
  const { socket, topic } = listener;
  removeListener(delivery, listener);
  socket.listeners.delete(topic);
  if (socket.listeners.size === 0) socket.idleSince = delivery.app.clock.elapsed();
};

const closeChannel = (
  channels: Channels,
  listener: TopicListener,
  event: 'phx_close' | 'phx_error',
): void => {
  leaveTopic(channels, listener);
  sendEvent(listener, event);
};

/**
 * Returns the initial cursors of a new listener, and whether it misses `unsent` events. Returns undefined when the topic does
 * not exist or the person may not listen to it.
 */
const findInitialCursors = async (
  { delivery: { app } }: Channels,
  { kind, id }: Topic,
  {
    userId,
    afterSeq,
    afterUnsent,
  }: { userId: string; afterSeq?: number | undefined; afterUnsent?: number | undefined },
): Promise<(Pick<TopicListener, 'cursor' | 'unsentCursor'> & { isBehindUnsent: boolean }) | undefined> => {
  if (kind === 'user')
    return id === userId ? { cursor: 0, unsentCursor: 0, isBehindUnsent: false } : undefined;
  const progress = await findConversationProgress(app, { id, userId });
  if (!progress) return undefined;
  const { last_seq: lastSeq, unsent_count: unsentCount } = progress;
  const unsentCursor = Math.min(afterUnsent ?? unsentCount, unsentCount);
  return {
    cursor: Math.min(afterSeq ?? lastSeq, lastSeq),
    unsentCursor,
    isBehindUnsent: unsentCursor < unsentCount,
  };
};

/**
 * Replies to a join. On a person's own topic, the payload of the reply contains the total unread count; on
 * the topic of a conversation, the payload is empty.
 */
const replyToJoin = async (
  channels: Channels,
  listener: TopicListener,
  frame: ChannelFrame,
): Promise<ErrorCode | undefined> => {
  const { kind, id, socket, topic } = listener;
  if (kind === 'conversation') {
    replyAndFlushEvents(listener, formatOkReply(frame));
    return undefined;
  }
  try {
    const unread_total = await countUnreadMessages(channels.delivery.app, id);
    if (socket.listeners.get(topic) !== listener) return 'unavailable';
    replyAndFlushEvents(listener, formatOkReply(frame, { unread_total }));
    return undefined;
  } catch (error) {
    if (socket.listeners.get(topic) === listener) leaveTopic(channels, listener);
    throw error;
  }
};

const joinTopic = async (
  channels: Channels,
  socket: LiveSocket,
  frame: ChannelFrame,
): Promise<ErrorCode | undefined> => {
  const [joinRef, , topic, , payload] = frame;
  const request = joinTopicSchema.safeParse(payload).data;
  if (!request) return 'malformed_request';
  const session = await findSession(channels, socket, request.access_token);
  if (!session) return 'not_authenticated';
  const { userId, sessionId, expiresAt } = session;
  const parsedTopic = parseTopic(topic);
  const { after_seq: afterSeq, after_unsent: afterUnsent } = request;
  const initial =
    parsedTopic && (await findInitialCursors(channels, parsedTopic, { userId, afterSeq, afterUnsent }));
  if (!parsedTopic || !initial) return 'not_found';
  if (!socket.listeners.has(topic) && socket.listeners.size >= maxTopics) return 'rate_limited';
  if (socket.userId !== userId && !(await socket.slot.claim(userId))) return 'rate_limited';
  socket.userId = userId;
  if (channels.hasEnded(sessionId)) return 'not_authenticated';
  if (!isSocketOpen(socket)) return undefined;

  const earlier = socket.listeners.get(topic);
  if (earlier) closeChannel(channels, earlier, 'phx_close');
  const { cursor, unsentCursor } = initial;
  const listener: TopicListener = {
    ...parsedTopic,
    ...{ socket, topic, joinRef, userId, sessionId, expiresAt, cursor, unsentCursor },
    heldBack: [],
  };
  socket.listeners.set(topic, listener);
  socket.idleSince = undefined;
  addListener(channels.delivery, listener, initial);
  return replyToJoin(channels, listener, frame);
};

const renewToken = async (
  channels: Channels,
  listener: TopicListener,
  payload: unknown,
): Promise<ErrorCode | undefined> => {
  const request = renewTokenSchema.safeParse(payload).data;
  if (!request) return 'malformed_request';
  const session = await findSession(channels, listener.socket, request.access_token);
  if (session?.userId !== listener.userId) return 'not_authenticated';
  listener.sessionId = session.sessionId;
  listener.expiresAt = session.expiresAt;
  return undefined;
};

const processFrame = async (channels: Channels, socket: LiveSocket, frame: ChannelFrame): Promise<void> => {
  const [joinRef, , topic, event, payload] = frame;
  if (event === 'phx_join') {
    const reason = await joinTopic(channels, socket, frame);
    if (reason) sendFrame(socket, formatErrorReply(frame, reason));
    return;
  }
  const current = socket.listeners.get(topic);
  // Treat a frame for an earlier join of the topic like a frame for a topic that was never
  // joined.
  const listener = current?.joinRef === joinRef ? current : undefined;
  if (event === 'phx_leave') {
    sendFrame(socket, formatOkReply(frame));
    if (listener) closeChannel(channels, listener, 'phx_close');
    return;
  }
  let reason: ErrorCode | undefined;
  if (listener && event === 'access_token') reason = await renewToken(channels, listener, payload);
  else if (listener && event === 'typing') await announceTyping(channels.delivery, listener);
  else reason = 'not_found';
  sendFrame(socket, reason ? formatErrorReply(frame, reason) : formatOkReply(frame));
};

/** Handles a frame and sends exactly one reply, whatever the frame contains. */
export const handleFrame = async (
  channels: Channels,
  socket: LiveSocket,
  frame: ChannelFrame,
): Promise<void> => {
  if (!isSocketOpen(socket)) return;
  try {
    await processFrame(channels, socket, frame);
  } catch (error) {
    channels.delivery.app.log.warn({ err: error }, 'A live channel could not be served');
    sendFrame(socket, formatErrorReply(frame, 'unavailable'));
  }
};

/** Closes the channels of a socket whose tokens expired; the client then rejoins with its current token. */
export const closeExpiredChannels = (channels: Channels, socket: LiveSocket): void => {
  const now = channels.delivery.app.clock.now();
  for (const listener of socket.listeners.values()) {
    if (listener.expiresAt <= now) closeChannel(channels, listener, 'phx_error');
  }
};

/** Makes every client rejoin its topics. It is called when messages on the bus may have been missed. */
export const makeAllRejoin = (channels: Channels): void => {
  for (const listener of listListeners(channels.delivery)) closeChannel(channels, listener, 'phx_error');
};

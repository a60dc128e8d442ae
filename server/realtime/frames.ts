import type { ErrorCode } from '#contract/errors.ts';
import { type ChannelFrame, channelFrameSchema } from '#contract/realtime.ts';

/** Parses a frame; returns undefined when it is malformed. */
export const parseFrame = (text: string): ChannelFrame | undefined => {
  try {
    return channelFrameSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};

const formatReply = ([joinRef, ref, topic]: ChannelFrame, status: 'ok' | 'error', response: object): string =>
  JSON.stringify([joinRef, ref, topic, 'phx_reply', { status, response }]);

/** Formats the reply to a client's frame that was handled successfully. */
export const formatOkReply = (frame: ChannelFrame, response: object = {}): string =>
  formatReply(frame, 'ok', response);

/** Formats the reply to a client's frame that was refused, with a code from the error catalog. */
export const formatErrorReply = (frame: ChannelFrame, reason: ErrorCode): string =>
  formatReply(frame, 'error', { reason });

/**
 * Formats a server event on a joined topic. The payload is JSON text, so that it is serialized only once for all
 * receivers.
 */
export const formatEvent = (
  { joinRef, topic }: { joinRef: string | null; topic: string },
  event: string,
  payload = '{}',
): string => `[${JSON.stringify(joinRef)},null,${JSON.stringify(topic)},${JSON.stringify(event)},${payload}]`;

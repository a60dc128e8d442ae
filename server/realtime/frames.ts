import type { ErrorCode } from '#contract/errors.ts';
import { type Frame, frameSchema } from '#contract/realtime.ts';

/** Parses a frame; undefined when it is malformed. */
export const readFrame = (text: string): Frame | undefined => {
  try {
    return frameSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};

const reply = ([joinRef, ref, topic]: Frame, status: 'ok' | 'error', response: object): string =>
  JSON.stringify([joinRef, ref, topic, 'phx_reply', { status, response }]);

/** Returns the reply to a client's frame that succeeded. */
export const acceptance = (frame: Frame, response: object = {}): string => reply(frame, 'ok', response);

/** Returns the reply to a client's frame that was refused, with a code of the error catalogue. */
export const refusal = (frame: Frame, reason: ErrorCode): string => reply(frame, 'error', { reason });

/** Returns a server event on a joined topic; the payload is JSON, serialized once for all receivers. */
export const eventFrame = (
  { joinRef, topic }: { joinRef: string | null; topic: string },
  event: string,
  payload = '{}',
): string => `[${JSON.stringify(joinRef)},null,${JSON.stringify(topic)},${JSON.stringify(event)},${payload}]`;

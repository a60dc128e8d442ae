import type { ErrorCode } from '#contract/errors.ts';
import { type Frame, frameSchema } from '#contract/realtime.ts';

/** Reads a frame; undefined when it is none. */
export const readFrame = (text: string): Frame | undefined => {
  try {
    return frameSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};

const reply = ([joinRef, ref, topic]: Frame, status: 'ok' | 'error', response: object): string =>
  JSON.stringify([joinRef, ref, topic, 'phx_reply', { status, response }]);

/** Answers a frame of the client: done. */
export const acceptance = (frame: Frame, response: object = {}): string => reply(frame, 'ok', response);

/** Answers a frame of the client: refused, with a code of the error catalogue. */
export const refusal = (frame: Frame, reason: ErrorCode): string => reply(frame, 'error', { reason });

/** An event of the server on a joined topic; the payload is JSON already, made once for all who receive it. */
export const eventFrame = (
  { joinRef, topic }: { joinRef: string | null; topic: string },
  event: string,
  payload = '{}',
): string => `[${JSON.stringify(joinRef)},null,${JSON.stringify(topic)},${JSON.stringify(event)},${payload}]`;

import type { Bus } from '#server/platform/bus/bus.ts';

/**
 * Publishes the end of a person's sessions, which ends their caches and sockets in all processes. Call it after the
 * transaction that deleted the sessions; does nothing without session ids.
 */
export const publishSessionEnd = async (
  bus: Pick<Bus, 'publish'>,
  userId: string,
  sessionIds: string[],
): Promise<void> => {
  if (sessionIds.length === 0) return;
  await bus.publish({ kind: 'sessions_ended', user_id: userId, session_ids: sessionIds });
};

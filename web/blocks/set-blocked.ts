import { calls } from '#contract/calls.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { toast } from '#web/ui/toast.ts';
import { updateCachedBlockedIds } from './blocked-ids.ts';

/** How long the toast offers Undo, in milliseconds. */
const undoTimeMs = 10_000;

export interface BlockablePerson {
  id: string;
  name: string;
}

/**
 * Blocks or unblocks somebody, and confirms it in a toast with an Undo button. If the request fails, shows
 * the error in a toast and rejects.
 */
export const setBlocked = async (
  ownId: string,
  person: BlockablePerson,
  isBlocked: boolean,
): Promise<void> => {
  try {
    const call = isBlocked ? calls.blockPerson : calls.unblockPerson;
    await request(call, { params: { user_id: person.id } });
  } catch (error) {
    toast.error(
      `Failed to ${isBlocked ? 'block' : 'unblock'} ${isolateDirection(person.name)}`,
      (error as Error).message,
    );
    throw error;
  }
  await updateCachedBlockedIds(ownId, person.id, isBlocked);
  // A block changes conversations, deals and lists, so everything on screen is fetched again.
  void queryClient.invalidateQueries();
  toast.success(
    `You ${isBlocked ? 'blocked' : 'unblocked'} ${isolateDirection(person.name)}`,
    isBlocked ? 'You can change this in Settings.' : undefined,
    {
      label: 'Undo',
      durationMs: undoTimeMs,
      group: `block ${person.id}`,
      onSelect: () => void setBlocked(ownId, person, !isBlocked).catch(() => undefined),
    },
  );
};

import type { BlockedPeoplePage } from '#contract/blocks.ts';
import { createProblem } from '#contract/errors.ts';
import { blockedPeoplePageSize, maxBlockedPeople } from '#contract/paging.ts';
import { type App, react } from '#server/app.ts';
import { decodeListCursor, takePage } from '#server/platform/list-position.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import * as repository from './repository.ts';

// Features that connect two people check for blocks themselves, with the SQL conditions of `sql.ts`.

/** Lists the people whom a person blocked, latest first. */
export const listBlockedPeople = async (
  { sql }: App,
  userId: string,
  cursor: string | undefined,
): Promise<BlockedPeoplePage> => {
  const after = decodeListCursor(cursor);
  const rows = await repository.listBlocks(sql, { userId, after, limit: blockedPeoplePageSize + 1 });
  const { page, next_cursor } = takePage(rows, blockedPeoplePageSize, ({ position }) => position);
  return {
    items: page.map(({ id, name, avatar_url, usc_verified, created_at }) => ({
      user: { id, name, avatar_url, usc_verified },
      blocked_at: created_at.toISOString(),
    })),
    next_cursor,
  };
};

/**
 * Blocks a person without notifying them, and ends the offers and holds between the two people. Does nothing when the
 * person is already blocked. Throws own_account for the caller's own account, user_not_found when there is no such
 * account that the caller can know of, and blocks_full when the caller has reached the maximum number of blocks.
 */
export const blockPerson = (app: App, userId: string, blockedId: string): Promise<void> =>
  runInTransaction(app.sql, async (tx) => {
    if (userId === blockedId) throw createProblem('own_account');
    if (!(await repository.lockKnownAccount(tx, blockedId, userId))) throw createProblem('user_not_found');
    const event = { userIds: [userId, blockedId] } as const;
    await react(app, tx, 'before_block', event);
    const isBlocked = await repository.insertBlock(tx, {
      userId,
      blockedId,
      limit: maxBlockedPeople,
      now: app.clock.now(),
    });
    if (!isBlocked) throw createProblem('blocks_full');
    await react(app, tx, 'person_blocked', event);
  });

export const listBlockedIds = ({ sql }: App, userId: string): Promise<string[]> =>
  repository.listBlockedIds(sql, userId);

/** Unblocks a person. Does nothing when they are not blocked. */
export const unblockPerson = ({ sql }: App, userId: string, blockedId: string): Promise<void> =>
  repository.deleteBlock(sql, userId, blockedId);

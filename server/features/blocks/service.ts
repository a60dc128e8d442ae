import type { BlockedPeoplePage } from '#contract/blocks.ts';
import { createProblem } from '#contract/errors.ts';
import { blockedPeoplePageSize, maxBlockedPeople } from '#contract/paging.ts';
import type { Clock } from '#server/platform/clock.ts';
import { decodeListCursor, encodeListCursor } from '#server/platform/list-position.ts';
import { type Queryable, runInTransaction, type Sql } from '#server/platform/postgres/database.ts';
import * as repository from './repository.ts';

interface BlocksDeps {
  sql: Sql;
  clock: Clock;
  deals: {
    /** Prevents both people from starting deals until the transaction ends. */
    lockStartingDeals(tx: Queryable, userIds: readonly [string, string]): Promise<void>;
    /** Queues a check of the offers and holds between two people. */
    schedulePairSettling(tx: Queryable, userIds: readonly [string, string]): Promise<void>;
  };
}

/**
 * Creates the service with which a person blocks other people. Features that connect two people check for blocks
 * themselves, with the SQL conditions of `sql.ts`.
 */
export const createBlockService = ({ sql, clock, deals }: BlocksDeps) => ({
  /** Lists the people whom a person blocked, latest first. */
  list: async (userId: string, cursor: string | undefined): Promise<BlockedPeoplePage> => {
    const after = decodeListCursor(cursor);
    const rows = await repository.listBlocks(sql, { userId, after, limit: blockedPeoplePageSize + 1 });
    const items = rows.slice(0, blockedPeoplePageSize);
    const last = rows.length > blockedPeoplePageSize ? items.at(-1) : undefined;
    return {
      items: items.map(({ id, name, avatar_url, usc_verified, created_at }) => ({
        user: { id, name, avatar_url, usc_verified },
        blocked_at: created_at.toISOString(),
      })),
      next_cursor: last ? encodeListCursor({ time: last.position, id: last.id }) : null,
    };
  },

  /** Lists the ids of all people whom a person blocked. */
  listIds: async (userId: string) => ({ user_ids: await repository.listBlockedIds(sql, userId) }),

  /**
   * Blocks a person without notifying them, and ends the offers and holds between the two people. Does nothing when
   * the person is already blocked. Throws own_account for the caller's own account, user_not_found when there is no
   * such account that the caller can know of, and blocks_full when the caller has reached the maximum number of blocks.
   */
  block: (userId: string, blockedId: string): Promise<void> =>
    runInTransaction(sql, async (tx) => {
      if (userId === blockedId) throw createProblem('own_account');
      if (!(await repository.lockKnownAccount(tx, blockedId, userId))) throw createProblem('user_not_found');
      // Wait for deals that are being started: a deal committed before this lock is ended by the queued check below,
      // and a later one is refused because of the block.
      await deals.lockStartingDeals(tx, [userId, blockedId]);
      const isBlocked = await repository.insertBlock(tx, {
        userId,
        blockedId,
        limit: maxBlockedPeople,
        now: clock.now(),
      });
      if (!isBlocked) throw createProblem('blocks_full');
      await deals.schedulePairSettling(tx, [userId, blockedId]);
    }),

  /** Unblocks a person. Does nothing when they are not blocked. */
  unblock: (userId: string, blockedId: string): Promise<void> =>
    repository.deleteBlock(sql, userId, blockedId),
});

export type BlockService = ReturnType<typeof createBlockService>;

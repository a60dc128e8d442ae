import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type HttpDeps, serveCall } from '#server/http/serve.ts';
import type { BlockService } from './service.ts';

/** Registers the calls with which a person blocks and unblocks people and lists the blocked people. */
export const blocksPlugin = async (
  server: FastifyInstance,
  { http, blocks }: { http: HttpDeps; blocks: BlockService },
): Promise<void> => {
  serveCall(server, http, calls.listBlocks, ({ session, query }) =>
    blocks.list(session.userId, query.cursor),
  );
  serveCall(server, http, calls.listBlockedIds, ({ session }) => blocks.listIds(session.userId));
  serveCall(server, http, calls.blockPerson, async ({ session, params }) => {
    await blocks.block(session.userId, params.user_id);
    return { success: true } as const;
  });
  serveCall(server, http, calls.unblockPerson, async ({ session, params }) => {
    await blocks.unblock(session.userId, params.user_id);
    return { success: true } as const;
  });
};

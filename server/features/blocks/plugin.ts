import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type PluginOptions, serveCall } from '#server/http/serve.ts';
import { blockPerson, listBlockedIds, listBlockedPeople, unblockPerson } from './blocking.ts';

/** Registers the calls with which a person blocks and unblocks people and lists the blocked people. */
export const blocksPlugin = async (server: FastifyInstance, { app }: PluginOptions): Promise<void> => {
  serveCall(server, app, calls.listBlocks, ({ session, query }) =>
    listBlockedPeople(app, session.userId, query.cursor),
  );
  serveCall(server, app, calls.listBlockedIds, async ({ session }) => ({
    user_ids: await listBlockedIds(app, session.userId),
  }));
  serveCall(server, app, calls.blockPerson, async ({ session, params }) => {
    await blockPerson(app, session.userId, params.user_id);
    return { success: true } as const;
  });
  serveCall(server, app, calls.unblockPerson, async ({ session, params }) => {
    await unblockPerson(app, session.userId, params.user_id);
    return { success: true } as const;
  });
};

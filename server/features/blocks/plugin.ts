import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type PluginOptions, serveCall } from '#server/http/serve.ts';
import { blockPerson, listBlockedIds, listBlockedPeople, unblockPerson } from './blocking.ts';

/** Registers the calls with which a person blocks and unblocks people and lists the blocked people. */
export const blocksPlugin = async (server: FastifyInstance, { app, http }: PluginOptions): Promise<void> => {
  serveCall(server, http, calls.listBlocks, ({ session, query }) =>
    listBlockedPeople(app, session.userId, query.cursor),
  );
  serveCall(server, http, calls.listBlockedIds, async ({ session }) => ({
    user_ids: await listBlockedIds(app, session.userId),
  }));
  serveCall(server, http, calls.blockPerson, async ({ session, params }) => {
    await blockPerson(app, session.userId, params.user_id);
    return { success: true } as const;
  });
  serveCall(server, http, calls.unblockPerson, async ({ session, params }) => {
    await unblockPerson(app, session.userId, params.user_id);
    return { success: true } as const;
  });
};

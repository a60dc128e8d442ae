import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type PluginOptions, serveCall } from '#server/http/serve.ts';
import { deleteAccount } from './deletion.ts';

/** Registers the call that deletes the caller's account. */
export const accountDeletionPlugin = async (
  server: FastifyInstance,
  { app }: PluginOptions,
): Promise<void> => {
  serveCall(server, app, calls.deleteMe, async ({ session }) => {
    await deleteAccount(app, session.userId);
    return { success: true } as const;
  });
};

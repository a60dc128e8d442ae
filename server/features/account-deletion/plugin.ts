import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type HttpDeps, serveCall } from '#server/http/serve.ts';
import type { AccountDeletionService } from './service.ts';

/** Registers the call that deletes the caller's account. */
export const accountDeletionPlugin = async (
  server: FastifyInstance,
  { http, accountDeletion }: { http: HttpDeps; accountDeletion: AccountDeletionService },
): Promise<void> => {
  serveCall(server, http, calls.deleteMe, async ({ session }) => {
    await accountDeletion.deleteAccount(session.userId);
    return { success: true } as const;
  });
};

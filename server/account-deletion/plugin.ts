import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type HttpDeps, serve } from '#server/http/serve.ts';
import type { AccountDeletion } from './service.ts';

/** Registers the call that deletes the caller's account. */
export const accountDeletionPlugin = async (
  app: FastifyInstance,
  { http, accountDeletion }: { http: HttpDeps; accountDeletion: AccountDeletion },
): Promise<void> => {
  serve(app, http, calls.deleteMe, async ({ session }) => {
    await accountDeletion.deleteAccount(session.userId);
    return { success: true } as const;
  });
};

import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type HttpDeps, serve } from '#server/http/serve.ts';
import type { Profiles } from './service.ts';

/** Registers profiles: the caller's own, and everybody's public profile. */
export const profilesPlugin = async (
  app: FastifyInstance,
  { http, profiles }: { http: HttpDeps; profiles: Profiles },
): Promise<void> => {
  serve(app, http, calls.getMe, ({ session }) => profiles.getOwn(session.userId));
  serve(app, http, calls.updateMe, ({ session, body }) => profiles.change(session.userId, body));
  serve(app, http, calls.getUser, ({ params }) => profiles.getPublic(params.id));
};

import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import {
  mailMembershipLink,
  removeCampusAddress,
  requestCampusCode,
  verifyCampusCode,
} from '#server/features/accounts/public.ts';
import { type PluginOptions, serveCall } from '#server/http/serve.ts';
import { changeProfile, getOwnProfile, getPublicProfile } from './profiles.ts';

/** Registers the calls for the caller's own profile with its campus address, and for public profiles. */
export const profilesPlugin = async (server: FastifyInstance, { app }: PluginOptions): Promise<void> => {
  serveCall(server, app, calls.getMe, ({ session }) => getOwnProfile(app, session.userId));
  serveCall(server, app, calls.updateMe, ({ session, body }) => changeProfile(app, session.userId, body));
  serveCall(server, app, calls.getUser, ({ params }) => getPublicProfile(app, params.id));
  serveCall(server, app, calls.requestCampusCode, async ({ session: { userId }, body, address }) => {
    await requestCampusCode(app, { userId, address }, body.email);
    return getOwnProfile(app, userId);
  });
  serveCall(server, app, calls.verifyCampusAddress, async ({ session: { userId }, body }) => {
    await verifyCampusCode(app, userId, body.code);
    return getOwnProfile(app, userId);
  });
  serveCall(server, app, calls.requestMembershipLink, async ({ session: { userId } }) => {
    await mailMembershipLink(app, userId);
    return { success: true } as const;
  });
  serveCall(server, app, calls.removeCampusAddress, async ({ session: { userId } }) => {
    await removeCampusAddress(app, userId);
    return getOwnProfile(app, userId);
  });
};

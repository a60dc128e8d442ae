import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import type { CampusAddressService } from '#server/features/accounts/public.ts';
import { type HttpDeps, serveCall } from '#server/http/serve.ts';
import type { ProfileService } from './service.ts';

/** Registers the calls for the caller's own profile with its campus address, and for public profiles. */
export const profilesPlugin = async (
  server: FastifyInstance,
  {
    http,
    profiles,
    campusAddresses,
  }: { http: HttpDeps; profiles: ProfileService; campusAddresses: CampusAddressService },
): Promise<void> => {
  serveCall(server, http, calls.getMe, ({ session }) => profiles.getOwn(session.userId));
  serveCall(server, http, calls.updateMe, ({ session, body }) => profiles.change(session.userId, body));
  serveCall(server, http, calls.getUser, ({ params }) => profiles.getPublic(params.id));
  serveCall(server, http, calls.requestCampusCode, async ({ session: { userId }, body, address }) => {
    await campusAddresses.requestCode({ userId, address }, body.email);
    return profiles.getOwn(userId);
  });
  serveCall(server, http, calls.verifyCampusAddress, async ({ session: { userId }, body }) => {
    await campusAddresses.verify(userId, body.code);
    return profiles.getOwn(userId);
  });
  serveCall(server, http, calls.removeCampusAddress, async ({ session: { userId } }) => {
    await campusAddresses.remove(userId);
    return profiles.getOwn(userId);
  });
};

import { runWithApp } from '#server/commands/run-with-app.ts';
import { readConfig } from '#server/config.ts';
import { checkMemberships } from '#server/features/accounts/public.ts';
import { createMembershipToken, membershipPath } from '#server/mail/public.ts';
import type { QuadServer } from './quad-server.ts';

/** Ends the membership of a person as if its notices had been sent. Returns the URL of the link in the emails about it. */
export const endMembership = async ({ dataDir, url }: QuadServer, email: string): Promise<string> => {
  let link = '';
  await runWithApp(readConfig({ NODE_ENV: 'test', QUAD_DATA_DIR: dataDir }), undefined, async (app) => {
    const [person] = await app.sql<[{ user_id: string }]>`
      UPDATE private.memberships m SET ends_on = '2020-01-01', notices = 2 FROM users u
      WHERE u.id = m.user_id AND u.email = ${email} RETURNING m.user_id`;
    await checkMemberships(app);
    const token = createMembershipToken(app.secrets.pepper, {
      userId: person.user_id,
      email,
      askedAt: app.clock.now(),
    });
    link = `${url}${membershipPath}/${token}`;
  });
  return link;
};

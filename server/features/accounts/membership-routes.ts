import type { FastifyInstance } from 'fastify';
import type { App } from '#server/app.ts';
import { serveEmailLink } from '#server/http/email-link-routes.ts';
import { escapeHtml, getEmailLinkPageCsp, membershipPath, renderEmailLinkPage } from '#server/mail/public.ts';
import { confirmByLink, getAskedAddress } from './membership-links.ts';

/** Serves the links of emails that ask people to confirm their membership of the campus. */
export const registerMembershipRoutes = async (server: FastifyInstance, app: App): Promise<void> => {
  const { campus, publicUrl } = app.config;
  const site = { campus, publicUrl };
  const homeLink = `<a class="button" href="${escapeHtml(publicUrl)}/">${escapeHtml(campus.siteName)}</a>`;

  await serveEmailLink(server, app, {
    path: `${membershipPath}/:token`,
    limit: 'membership_link',
    csp: getEmailLinkPageCsp(campus),
    open: async ({ token = '' }) =>
      renderEmailLinkPage(
        site,
        `Are you still at ${campus.shortName}?`,
        `<p>Confirm it for <bdi>${escapeHtml(await getAskedAddress(app, token))}</bdi> to keep the verified badge and your listings.</p>
<form method="post"><button>Yes, I’m still at ${escapeHtml(campus.shortName)}</button></form>
<small>If somebody forwarded the link to you, please leave the answer to them.</small>`,
      ),
    confirm: async ({ token = '' }) => {
      await confirmByLink(app, token);
      return renderEmailLinkPage(
        site,
        'Your membership is confirmed',
        `<p>Thank you. There is nothing else to do.</p>\n${homeLink}`,
      );
    },
    renderProblem: (sentence) =>
      renderEmailLinkPage(site, 'That did not work', `<p>${escapeHtml(sentence)}</p>\n${homeLink}`),
  });
};

import type { FastifyInstance } from 'fastify';
import { createProblem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { serveEmailLink } from '#server/http/email-link-routes.ts';
import { availabilityPath, decryptAvailabilityLink, getEmailLinkPageCsp } from '#server/mail/public.ts';
import { answerByLink, getAskedListing } from './availability.ts';
import { renderAnsweredPage, renderAnswerPage, renderAnswerProblemPage } from './availability-page.ts';

/** Serves the links of emails that ask whether a listing is still available. */
export const registerAvailabilityRoutes = async (server: FastifyInstance, app: App): Promise<void> => {
  const { campus, publicUrl } = app.config;
  const site = { campus, publicUrl };

  const readLink = ({ token = '', answer = '' }: Record<string, string>) => {
    const link = decryptAvailabilityLink(app.secrets.pepper, { token, answer });
    if (!link) throw createProblem('availability_link_invalid');
    return { ...link, token };
  };

  await serveEmailLink(server, app, {
    path: `${availabilityPath}/:token/:answer`,
    limit: 'availability_link',
    csp: getEmailLinkPageCsp(campus),
    open: async (params) => {
      const link = readLink(params);
      return renderAnswerPage(site, await getAskedListing(app, link), link);
    },
    confirm: async (params) => {
      const link = readLink(params);
      const listing = await getAskedListing(app, link);
      await answerByLink(app, link, link.answer);
      return renderAnsweredPage(site, listing, link.answer);
    },
    renderProblem: (sentence) => renderAnswerProblemPage(site, sentence),
  });
};

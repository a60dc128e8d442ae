import type { FastifyInstance } from 'fastify';
import { createProblem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { serveEmailLink } from '#server/http/email-link-routes.ts';
import {
  decryptUnsubscribeToken,
  getEmailLinkPageCsp,
  type UnsubscribeRequest,
  unsubscribePath,
} from '#server/mail/public.ts';
import { stopEmails } from './settings.ts';
import {
  renderInvalidLinkPage,
  renderUnsubscribeConfirmationPage,
  renderUnsubscribedPage,
} from './unsubscribe-page.ts';

/** Serves the unsubscribe link, which can switch off emails of one kind and nothing else. */
export const registerUnsubscribeRoutes = async (server: FastifyInstance, app: App): Promise<void> => {
  const { campus, publicUrl } = app.config;
  const site = { campus, publicUrl };

  const getRequest = ({ token = '' }: Record<string, string>): UnsubscribeRequest => {
    const wanted = decryptUnsubscribeToken(app.secrets.pepper, token);
    if (wanted === undefined) throw createProblem('unsubscribe_link_invalid');
    return wanted;
  };

  await serveEmailLink(server, app, {
    path: `${unsubscribePath}/:token`,
    limit: 'unsubscribe',
    csp: getEmailLinkPageCsp(campus),
    open: async (params) => renderUnsubscribeConfirmationPage(site, getRequest(params).kind),
    confirm: async (params) => {
      const { userId, kind } = getRequest(params);
      await stopEmails(app, userId, kind === undefined ? ['messages', 'deals'] : [kind]);
      return renderUnsubscribedPage(site, kind);
    },
    renderProblem: (sentence) => renderInvalidLinkPage(site, sentence),
  });
};

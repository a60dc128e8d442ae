import type { NotificationKind } from '#contract/notifications.ts';
import { getSettingsPath } from '#contract/settings-pages.ts';
import {
  describeEmailOccasion,
  escapeHtml,
  getEmailKindName,
  renderEmailLinkPage,
  type SiteContext,
} from '#server/mail/public.ts';

const buildSettingsUrl = ({ publicUrl }: SiteContext): string =>
  escapeHtml(`${publicUrl}${getSettingsPath('notifications')}`);

const renderSettingsHint = (site: SiteContext): string =>
  `<small>You can switch them on again at any time under <a href="${buildSettingsUrl(site)}">Settings in your profile</a>.</small>`;

/**
 * Renders the confirmation page. Opening the link does not unsubscribe, because mail scanners
 * follow links; only the button on this page does.
 */
export const renderUnsubscribeConfirmationPage = (
  site: SiteContext,
  kind: NotificationKind | undefined,
): string =>
  renderEmailLinkPage(
    site,
    `Stop emails about ${getEmailKindName(kind)}?`,
    `<p>${escapeHtml(site.campus.siteName)} will no longer email you ${describeEmailOccasion(kind)}. You still see it when you open ${escapeHtml(site.campus.siteName)}.</p>
<form method="post"><button>Stop these emails</button></form>
${renderSettingsHint(site)}`,
  );

export const renderUnsubscribedPage = (site: SiteContext, kind: NotificationKind | undefined): string =>
  renderEmailLinkPage(
    site,
    `You get no more emails about ${getEmailKindName(kind)}`,
    `<p>It is done, as of now. You still see them when you open ${escapeHtml(site.campus.siteName)}.</p>
${renderSettingsHint(site)}`,
  );

/** Renders the page for a link that does not work. */
export const renderInvalidLinkPage = (site: SiteContext, sentence: string): string =>
  renderEmailLinkPage(
    site,
    'That did not work',
    `<p>${escapeHtml(sentence)}</p>
<a class="button" href="${buildSettingsUrl(site)}">Open my settings</a>`,
  );

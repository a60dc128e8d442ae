import type { AvailabilityAnswer } from '#contract/listings.ts';
import { buildPhotoCopyUrl } from '#contract/photos.ts';
import { availabilityPath, escapeHtml, renderEmailLinkPage, type SiteContext } from '#server/mail/public.ts';
import type { AskedListing } from './availability-repository.ts';

interface AnswerTexts {
  /** Label of the button. */
  button: string;
  /** What the answer does. */
  effect: string;
  /** Title of the page once it is done. */
  done: string;
}

const answerTexts: Record<AvailabilityAnswer, AnswerTexts> = {
  yes: {
    button: 'Yes, it’s available',
    effect: 'Your listing stays in the lists, or returns to them.',
    done: 'It stays active',
  },
  sold: {
    button: 'Mark as sold',
    effect: 'Your listing leaves the lists and shows that the item is gone.',
    done: 'It is marked as sold',
  },
  hide: {
    button: 'Hide it',
    effect: 'Your listing becomes a draft that only you can see.',
    done: 'It is hidden',
  },
};

const renderSubject = ({ title, photo_url: photoUrl }: AskedListing): string => {
  const photo = photoUrl && `<img src="${escapeHtml(buildPhotoCopyUrl(photoUrl, 320, 'jpeg'))}" alt="">`;
  return `<div class="subject">${photo ?? ''}<span dir="auto">${escapeHtml(title)}</span></div>`;
};

const renderMyListingsLink = ({ publicUrl }: SiteContext, label: string): string =>
  `<a class="button" href="${escapeHtml(`${publicUrl}/my-listings`)}">${label}</a>`;

/** Renders the page that a link opens, on which only the button answers. */
export const renderAnswerPage = (
  site: SiteContext,
  listing: AskedListing,
  { token, answer }: { token: string; answer: AvailabilityAnswer },
): string => {
  const others = (Object.keys(answerTexts) as AvailabilityAnswer[]).filter((it) => it !== answer);
  const links = others.map(
    (it) =>
      `<a href="${escapeHtml(`${availabilityPath}/${token}/${it}`)}">${escapeHtml(answerTexts[it].button)}</a>`,
  );
  return renderEmailLinkPage(
    site,
    'Still for sale?',
    `${renderSubject(listing)}
<p>${escapeHtml(answerTexts[answer].effect)}</p>
<form method="post"><button>${escapeHtml(answerTexts[answer].button)}</button></form>
<nav>${links.join('\n')}</nav>
<small>This page answers for the seller. If somebody forwarded the link to you, please leave the answer to them.</small>`,
  );
};

export const renderAnsweredPage = (
  site: SiteContext,
  listing: AskedListing,
  answer: AvailabilityAnswer,
): string =>
  renderEmailLinkPage(
    site,
    answerTexts[answer].done,
    `${renderSubject(listing)}
<p>Thank you. You can change it in My Listings at any time.</p>
${renderMyListingsLink(site, 'My Listings')}`,
  );

/** Renders the page for a link that does not work. */
export const renderAnswerProblemPage = (site: SiteContext, sentence: string): string =>
  renderEmailLinkPage(
    site,
    'That did not work',
    `<p>${escapeHtml(sentence)}</p>
${renderMyListingsLink(site, 'My Listings')}`,
  );

import { LinkifyIt } from 'linkify-it';
import { hasPhrase, removePhrases, toWords } from '#contract/wording.ts';
import { type WarningKind, warningKinds, wordingRules } from './warning-rules.ts';

/** The hosts that belong to the site and the campus. Links to them, and to hosts below them, cause no warning. */
export type OwnHosts = readonly string[];

const isOwnHost = (host: string, ownHosts: OwnHosts): boolean =>
  ownHosts.some((own) => host === own || host.endsWith(`.${own}`));

/** Also finds addresses without a scheme. Credentials are part of an address, so that its real host is known. */
const addressFinder = new LinkifyIt({ urlAuth: true, fuzzyLink: true, fuzzyEmail: true });

/** The top-level domains for which an address without scheme and path, such as "example.com", counts as a link. */
const commonDomains = /\.(?:com|net|org|info|io|co|shop|store|online|site|xyz|top|app|link|page|click)$/;

/**
 * Returns the hosts of the web addresses in a text, also of those that `splitAtLinks` leaves as text. Of words with a
 * dot, such as "here.is", only those with a path or a common domain count. The host of an invalid address is empty.
 */
const listLinkHosts = (text: string): string[] =>
  (addressFinder.match(text) ?? []).flatMap(({ schema, raw }) => {
    if (schema === 'mailto:') return [];
    const host = URL.parse(schema ? raw : `https://${raw}`)?.hostname ?? '';
    const isAddress = schema !== '' || /^[^/]*[/]./.test(raw) || commonDomains.test(host);
    return isAddress ? [host] : [];
  });

/** Returns what to warn the reader of a message about, the most important first. */
export const findWarnings = (text: string, ownHosts: OwnHosts): WarningKind[] => {
  const words = toWords(text);
  return warningKinds.filter((kind) => {
    if (kind === 'link') return listLinkHosts(text).some((host) => !isOwnHost(host, ownHosts));
    if (kind === 'new_account') return false;
    const { phrases, harmless } = wordingRules[kind];
    return hasPhrase(removePhrases(words, harmless), phrases);
  });
};

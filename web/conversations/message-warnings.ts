import { LinkifyIt } from 'linkify-it';
import { hasPhrase, removePhrases, splitIntoWords } from '#contract/phrase-matching.ts';
import { parseUrl } from '#web/lib/parse-url.ts';
import { separateLinks } from './separate-links.ts';
import { scamWordingRules, type WarningKind, warningKinds } from './warning-rules.ts';

/**
 * The hosts of this site and the email domains of the campus. Links to these hosts and their subdomains cause no warning.
 */
export type TrustedHosts = readonly string[];

const isOwnHost = (host: string, ownHosts: TrustedHosts): boolean =>
  ownHosts.some((own) => host === own || host.endsWith(own.startsWith('*.') ? own.slice(1) : `.${own}`));

/**
 * Matches URLs, including those without a scheme. A match includes the credentials, so that the URL's real
 * host can be determined.
 */
const addressFinder = new LinkifyIt({ urlAuth: true, fuzzyLink: true, fuzzyEmail: true });

/** The top-level domains for which an address without scheme and path, such as "example.com", counts as a link. */
const commonDomains = /\.(?:com|net|org|info|io|co|shop|store|online|site|xyz|top|app|link|page|click)$/;

/**
 * Returns the hosts of all URLs in a text, including URLs that `splitAtLinks` does not turn into links. A
 * word with a dot, such as "here.is", counts as a URL only if it has a path or a common top-level domain.
 * The host of an invalid URL is an empty string.
 */
const listLinkHosts = (text: string): string[] =>
  (addressFinder.match(separateLinks(text)) ?? []).flatMap(({ schema, raw }) => {
    if (schema === 'mailto:') return [];
    const host = parseUrl(schema ? raw : `https://${raw}`)?.hostname ?? '';
    const isAddress = schema !== '' || /^[^/]*[/]./.test(raw) || commonDomains.test(host);
    return isAddress ? [host] : [];
  });

/** Returns the kinds of warnings that apply to the text of a received message, most important first. */
export const findWarningKinds = (text: string, ownHosts: TrustedHosts): WarningKind[] => {
  const words = splitIntoWords(text);
  return warningKinds.filter((kind) => {
    if (kind === 'link') return listLinkHosts(text).some((host) => !isOwnHost(host, ownHosts));
    if (kind === 'new_account') return false;
    const { phrases, harmless } = scamWordingRules[kind];
    return hasPhrase(removePhrases(words, harmless), phrases);
  });
};

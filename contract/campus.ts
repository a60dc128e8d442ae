import { getMachineFormat } from './date-format.ts';

/**
 * How several addresses lead to one mailbox: by a plus sign and a tag after the name (subaddressing, RFC 5233), also by
 * dots in the name, or not at all.
 */
export const addressAliases = ['plus', 'plus-and-dots', 'none'] as const;
export type AddressAliases = (typeof addressAliases)[number];

/** The campus of this deployment. All texts that name the university use these values. */
export interface Campus {
  /** Full name of the university, as in 'University of Southern California'. */
  name: string;
  /** Short name of the university, as in 'USC'. */
  shortName: string;
  /** Email domain of the university without the at-sign, in lower case, as in 'usc.edu'. */
  domain: string;
  /** Further email domains of the university, as in 'alumni.usc.edu'; '*.usc.edu' stands for all its subdomains. */
  otherDomains: readonly string[];
  /** Which differences between addresses of these domains the university's mail system ignores. */
  addressAliases: AddressAliases;
  /** Mascot of the university in the singular, as in 'Trojan'. */
  mascot: string;
  /** IANA time zone, which determines the current date on the campus. */
  timezone: string;
  /** BCP 47 locale, such as 'en-US'; determines how prices, numbers and dates are written, and the first day of the week. */
  locale: string;
  /** ISO 4217 code of the currency of all prices, such as 'USD'. */
  currency: string;
  /** About how many units of the currency are worth a dollar, as a round number: 1 for euros, 100 for yen. */
  priceScale: number;
  /** ISO 3166 code of the country, such as 'US'; determines how phone numbers are read. */
  country: string;
  /** What international numbers of the country begin with after the plus sign: '1', or '49' in Germany. */
  callingCode: string;
  /** What numbers begin with within the country only, as '0' in Germany; empty if there is nothing. */
  trunkPrefix: string;
  /** How many digits a usual mobile number of the country has without that prefix; some have one more or less. */
  phoneDigits: number;
  /** The regular expression of mobile numbers of the country without that prefix. */
  mobilePattern: string;
  /** Name of the site, for example 'Quad'. */
  siteName: string;
  /** Email address that receives submitted forms and is shown on the contact page. */
  supportEmail: string;
  /** The highest price of tickets as a percentage of their face value; undefined without a cap. */
  ticketPriceCap?: number | undefined;
  /** The colors of the campus, unless it has those of the default one. */
  colors?: CampusColors | undefined;
  /** The university's own sign-on, if this deployment offers it. */
  signOn?: CampusSignOn | undefined;
}

export interface CampusColors {
  /** The color from which the palette follows (brand-colors.ts), as in '#990000'. */
  brand: string;
  /** The colors of the browser's own interface around the page, for the themes. */
  frame: { light: string; dark: string };
}

export interface CampusSignOn {
  /** What the university calls it, as in 'USC NetID'. */
  name: string;
  /** Whether people with campus addresses can log in in no other way. */
  isRequired: boolean;
  /** Whether only people with campus addresses can sign up, and so nobody in another way. */
  isOnlySignUp?: boolean;
}

/** The campus, of which only the time zone is needed. */
export type CampusTimeZone = Pick<Campus, 'timezone'>;

export type CampusLocale = Pick<Campus, 'locale'>;

/** The parts of a campus that determine how times are written. */
export type CampusTimes = CampusTimeZone & CampusLocale;

/** The parts of a campus that determine how prices are written and read. */
export type CampusMoney = Pick<Campus, 'currency' | 'locale'>;

/** The parts of a campus that determine which prices are possible. */
export type CampusPrices = CampusMoney & Pick<Campus, 'priceScale'>;

/** The parts of a campus that determine how phone numbers are read and called. */
export type CampusPhones = Pick<
  Campus,
  'country' | 'callingCode' | 'trunkPrefix' | 'phoneDigits' | 'mobilePattern'
>;

/** The parts of a campus that determine what a listing may contain. */
export type CampusListings = CampusPrices & Pick<Campus, 'country'>;

/** The parts of a campus that determine how prices, numbers and times are written. */
export type CampusFormats = CampusMoney & CampusTimeZone;

/** The default campus, with the names that the specification uses. */
export const defaultCampus: Campus = {
  name: 'University of Southern California',
  shortName: 'USC',
  domain: 'usc.edu',
  otherDomains: [],
  addressAliases: 'plus',
  mascot: 'Trojan',
  timezone: 'America/Los_Angeles',
  locale: 'en-US',
  currency: 'USD',
  priceScale: 1,
  country: 'US',
  callingCode: '1',
  trunkPrefix: '',
  phoneDigits: 10,
  mobilePattern: String.raw`[2-9]\d\d[2-9]\d{6}`,
  siteName: 'Quad',
  supportEmail: 'support@usc.edu',
};

/** The parts of a campus that determine which addresses belong to it. */
export type CampusDomains = Pick<Campus, 'domain' | 'otherDomains'>;

/** Returns whether a normalized email address belongs to the campus. */
export const isCampusEmail = ({ domain, otherDomains }: CampusDomains, email: string): boolean => {
  const at = email.lastIndexOf('@');
  const host = email.slice(at + 1);
  return (
    at >= 0 &&
    (host === domain ||
      otherDomains.some((other) => (other.startsWith('*.') ? host.endsWith(other.slice(1)) : host === other)))
  );
};

/** Returns whether a person with this log-in address can log in only through the university's sign-on. */
export const isSignOnRequired = (campus: CampusDomains & Pick<Campus, 'signOn'>, email: string): boolean =>
  campus.signOn?.isRequired === true && isCampusEmail(campus, email);

/** Returns a hint of an address for somebody who may not know it: `a…@mail.example` for ada@mail.example. */
export const maskEmail = (email: string): string => email.replace(/^(.)[^@]*/u, '$1…');

/** The parts of a campus that determine which addresses lead to the same mailbox. */
export type CampusMailboxes = CampusDomains & Pick<Campus, 'addressAliases'>;

/**
 * Returns the canonical address of the mailbox of a normalized email address, which counts for rules about people. Mail
 * goes to the address as typed. Tags after a plus sign are removed outside the campus, too, where they mean the same.
 */
export const toCanonicalEmail = (campus: CampusMailboxes, email: string): string => {
  const aliases = isCampusEmail(campus, email) ? campus.addressAliases : 'plus';
  const at = email.lastIndexOf('@');
  const [name] = email.slice(0, Math.max(at, 0)).split('+', 1);
  if (aliases === 'none' || !name) return email;
  return `${aliases === 'plus-and-dots' ? name.replaceAll('.', '') : name}${email.slice(at)}`;
};

/** Returns whether two normalized email addresses lead to the same mailbox. */
export const isSameMailbox = (campus: CampusMailboxes, one: string, other: string): boolean =>
  toCanonicalEmail(campus, one) === toCanonicalEmail(campus, other);

/** Returns the error message for an email address outside the campus (specification §5, "Forgot password"). */
export const formatCampusEmailRequiredMessage = (campus: Pick<Campus, 'domain'>): string =>
  `Only @${campus.domain} email addresses are allowed.`;

/**
 * Returns the date in the campus time zone at the given time, as YYYY-MM-DD. Listings' game dates are
 * compared with such dates.
 */
export const toCampusDay = (campus: CampusTimeZone, instant: Date): string =>
  getMachineFormat({ timeZone: campus.timezone, dateStyle: 'short' }).format(instant);

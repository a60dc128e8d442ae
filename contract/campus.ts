/** The campus this deployment serves. One per deployment; every place that names a university reads it from here. */
export interface Campus {
  /** Full name, as in 'University of Southern California'. */
  name: string;
  /** Short name, as in 'USC'. */
  shortName: string;
  /** Address domain without the at-sign, lower case, as in 'usc.edu'. */
  domain: string;
  /** Mascot, singular, as in 'Trojan'. */
  mascot: string;
  /** IANA time zone that decides which day is today. */
  timezone: string;
  /** Name of the site, as in 'Quad'. */
  siteName: string;
  /** Address that forms are mailed to and that the contact page shows. */
  supportEmail: string;
}

/** The identity that reproduces the wording of the specification (rulings, "Campus identity"). */
export const defaultCampus: Campus = {
  name: 'University of Southern California',
  shortName: 'USC',
  domain: 'usc.edu',
  mascot: 'Trojan',
  timezone: 'America/Los_Angeles',
  siteName: 'Quad',
  supportEmail: 'support@usc.edu',
};

/** Whether an address (already trimmed and lower-cased) belongs to the campus. */
export const isCampusAddress = (campus: Pick<Campus, 'domain'>, email: string): boolean =>
  email.endsWith(`@${campus.domain}`);

/** Refusal of an address outside the campus (§5, forgot password). */
export const onlyCampusAddresses = (campus: Pick<Campus, 'domain'>): string =>
  `Only @${campus.domain} email addresses are allowed.`;

/** The calendar day in the campus time zone, as YYYY-MM-DD: what "today" means for game dates. */
export const campusDay = (campus: Pick<Campus, 'timezone'>, instant: Date): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: campus.timezone, dateStyle: 'short' }).format(instant);

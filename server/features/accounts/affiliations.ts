import { type CampusDomains, isCampusEmail } from '#contract/campus.ts';
import type { CampusRole } from '#contract/profiles.ts';

/** The affiliations of eduPerson that have a role, in the order in which they decide. */
const roleOfAffiliation = new Map<string, CampusRole>([
  ['student', 'Student'],
  ['faculty', 'Staff'],
  ['staff', 'Staff'],
  ['employee', 'Staff'],
  ['alum', 'Alumni'],
]);

/** What the university's sign-on states about a person's membership. */
export interface Membership {
  role: CampusRole | null;
  /** Undefined when the sign-on states nothing. */
  isMember: boolean | undefined;
}

/**
 * Reads the claim with the affiliations, a list or a text, which may contain several with semicolons between. Affiliations with
 * a scope, such as `student@usc.edu`, count only for the domains of the campus. Alumni are members of the campus here, in the role
 * of alumni.
 */
export const readMembership = (campus: CampusDomains, claim: unknown): Membership => {
  const values = [claim]
    .flat()
    .filter((value) => typeof value === 'string')
    .flatMap((value) => value.split(';'))
    .map((value) => value.trim().toLowerCase())
    .filter((value) => value !== '');
  if (values.length === 0) return { role: null, isMember: undefined };
  const names = values
    .filter((value) => !value.includes('@') || isCampusEmail(campus, value))
    .map((value) => value.split('@', 1)[0]);
  const [, role = null] = [...roleOfAffiliation].find(([name]) => names.includes(name)) ?? [];
  return { role, isMember: role !== null || names.includes('member') };
};

import type { CampusPhones } from './campus.ts';

/** Returns a number of the campus's country in international form, as in '+493023125123', from its digits. */
export const toInternationalNumber = (
  { callingCode, trunkPrefix }: Pick<CampusPhones, 'callingCode' | 'trunkPrefix'>,
  digits: string,
): string => `+${callingCode}${digits.slice(digits.startsWith(trunkPrefix) ? trunkPrefix.length : 0)}`;

/**
 * Returns the `tel:` address (RFC 3966) of a listing's phone number. A number without a prefix is as it was typed if
 * the campus cannot tell whether it is one of its country.
 */
export const toPhoneUrl = (campus: CampusPhones, number: string): string => {
  const digits = number.replace(/[^\d+]/g, '');
  const isOfCountry =
    campus.country !== 'US' && !digits.startsWith('+') && digits.startsWith(campus.trunkPrefix);
  return `tel:${isOfCountry ? toInternationalNumber(campus, digits) : digits}`;
};

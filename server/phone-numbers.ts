import { Metadata, type NumberingPlan } from 'libphonenumber-js/max';
import {
  type CountryCode,
  getExampleNumber,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import examples from 'libphonenumber-js/mobile/examples';
import { type CampusPhones, defaultCampus } from '#contract/campus.ts';
import { phoneLength } from '#contract/listing-form.ts';

/** Whether there is a numbering plan for a country (ISO 3166), such as 'DE'. */
export const hasPhoneNumbers = (country: string): boolean => isSupportedCountry(country);

/** What the types of `libphonenumber-js` leave out of a numbering plan. */
type TypedNumberingPlan = NumberingPlan & { type: (name: 'MOBILE') => { pattern: () => string } | undefined };

/** Matches nothing, for the countries without mobile numbers. */
const noNumber = '(?!)';

const getMobilePattern = (country: string, callingCode: string): string => {
  // In North America, mobile numbers are no different from others.
  if (callingCode === '1') return defaultCampus.mobilePattern;
  const metadata = new Metadata();
  metadata.selectNumberingPlan(country as CountryCode);
  return (metadata.numberingPlan as TypedNumberingPlan).type('MOBILE')?.pattern() ?? noNumber;
};

/**
 * Returns how numbers of a country are written: its calling code ('49'), the prefix that they have within the country
 * only ('0'), which is empty where they have none, and how many digits libphonenumber's example of a mobile number has
 * after it, and the pattern of mobile numbers.
 */
export const getPhoneNotation = (country: string): Omit<CampusPhones, 'country'> => {
  const example = getExampleNumber(country as CountryCode, examples);
  if (!example) throw new Error(`There is no numbering plan for ${country}`);
  const digits = example.formatNational().replace(/\D/g, '');
  return {
    callingCode: example.countryCallingCode,
    trunkPrefix: digits.slice(0, digits.length - example.nationalNumber.length),
    phoneDigits: example.nationalNumber.length,
    mobilePattern: getMobilePattern(country, example.countryCallingCode),
  };
};

/**
 * Returns a typed phone number as it is usually written: without the calling code if it belongs to the country, otherwise
 * as in '+1 213 555 0100'. Returns undefined if it is no number that can be called. In the United States the rule of
 * the form (specification §5) is the only one, and a number stays as it was typed.
 */
export const readPhoneNumber = (country: string, typed: string): string | undefined => {
  if (country === 'US') return typed;
  const number = parsePhoneNumberFromString(typed, {
    defaultCountry: country as CountryCode,
    extract: false,
  });
  if (!number?.isValid()) return undefined;
  const national = number.formatNational();
  const isUsual = number.country === country && /^[\d\s()-]+$/.test(national);
  return isUsual && national.length >= phoneLength.min ? national : number.formatInternational();
};

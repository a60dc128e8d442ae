import { getCountries, getExampleNumber } from 'libphonenumber-js/min';
import examples from 'libphonenumber-js/mobile/examples';
import { expect, test } from 'vitest';
import { toPhoneUrl } from '#contract/phone-numbers.ts';
import { phoneNotations } from '#contract/testing.ts';
import { getPhoneNotation, readPhoneNumber } from './phone-numbers.ts';

test.each([
  ['US', '1', '', 10],
  ['DE', '49', '0', 11],
  ['JP', '81', '0', 10],
  ['HU', '36', '06', 9],
  ['IT', '39', '', 10],
  ['ES', '34', '', 9],
])(
  'numbers of %s have the calling code %s, the prefix %j, and %s digits',
  (country, callingCode, trunkPrefix, phoneDigits) => {
    expect(getPhoneNotation(country)).toMatchObject({ callingCode, trunkPrefix, phoneDigits });
  },
);

test.each(Object.values(phoneNotations))(
  'the notation of $country in tests of the browser is current',
  ({ country, ...notation }) => {
    expect(getPhoneNotation(country)).toEqual(notation);
  },
);

test('the pattern of mobile numbers is the one of every country', () => {
  const isMobile = (country: string, digits: string) =>
    new RegExp(`^(?:${getPhoneNotation(country).mobilePattern})$`).test(digits);
  for (const country of getCountries()) {
    const example = getExampleNumber(country, examples)?.nationalNumber ?? '';
    // Tristan da Cunha has no mobile numbers.
    expect.soft(isMobile(country, example), country).toBe(country !== 'TA');
  }
  expect(isMobile('DE', '1701234567')).toBe(true);
  expect(isMobile('DE', '15123456789')).toBe(true);
  expect(isMobile('DE', '3023125123')).toBe(false);
});

test.each([
  ['US', '213 5550100', '213 5550100', 'tel:2135550100'],
  ['US', '0000000000', '0000000000', 'tel:0000000000'],
  ['DE', '(030) 23125-123', '030 23125123', 'tel:+493023125123'],
  ['DE', '+49 30 23125123', '030 23125123', 'tel:+493023125123'],
  ['DE', '0049 30 23125123', '030 23125123', 'tel:+493023125123'],
  ['DE', '+1 213 555 0100', '+1 213 555 0100', 'tel:+12135550100'],
  ['JP', '03 0000 0001', '03-0000-0001', 'tel:+81300000001'],
  ['JP', '09000000001', '090-0000-0001', 'tel:+819000000001'],
  ['JP', '+49 30 23125123', '+49 30 23125123', 'tel:+493023125123'],
  ['IT', '06 1234 5678', '06 1234 5678', 'tel:+390612345678'],
  // Too short for the rule of the form without the calling code, with which it can be saved again.
  ['SG', '6123-4567  ', '+65 6123 4567', 'tel:+6561234567'],
])('on a campus in %s, %j is the number %s', (country, typed, number, url) => {
  expect(readPhoneNumber(country, typed)).toBe(number);
  expect(readPhoneNumber(country, number)).toBe(number);
  expect(toPhoneUrl({ country, ...getPhoneNotation(country) }, number)).toBe(url);
});

test.each([
  ['DE', '0000000000'],
  ['DE', '----------'],
  ['JP', '1234567890'],
  ['JP', '+999 123 4567'],
])('on a campus in %s, %j is no number', (country, typed) => {
  expect(readPhoneNumber(country, typed)).toBeUndefined();
});

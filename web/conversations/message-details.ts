import { type CampusPhones, type CampusTimeZone, toCampusDay } from '#contract/campus.ts';
import { addDays } from '#contract/days.ts';
import { parseIsbn } from '#contract/isbn.ts';
import { toInternationalNumber } from '#contract/phone-numbers.ts';

/** Part of a message that stands for something: where it is in the text, and what it means. */
interface Found<Meaning> {
  index: number;
  text: string;
  meaning: Meaning;
}

/** A day (YYYY-MM-DD) and a time (HH:MM) on the campus. */
export interface CampusMoment {
  day: string;
  time: string;
}

const international = String.raw`\+[1-9][\d .()-]{6,18}\d`;
/** Around what could be a price otherwise. */
const noCurrencyBefore = String.raw`(?<!\p{Sc} ?)`;
const noCurrencyAfter = String.raw`(?! ?\p{Sc})`;
/** A national number without spaces. */
const inOnePiece = String.raw`${noCurrencyBefore}\d{7,13}(?![ ./-]\d)${noCurrencyAfter}`;
/** The national numbers of North America, as in (213) 555-0100. */
const american = String.raw`(?:1[ .-])?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}`;
/** National numbers that begin with a zero, as in 030 23125-123: in groups. */
const withZero = String.raw`(?:\(0[1-9]\d{0,4}\) ?|0[1-9]\d{0,4}[ ./-])\d{1,8}(?:[ ./-]\d{2,8}){0,4}`;
/** Other national numbers, as in 612 34 56 78, 333 1234567 and 8 (912) 345-67-89: in groups. */
const inGroups = String.raw`${noCurrencyBefore}(?:\(\d{2,4}\) ?|\d{1,4}[ -])(?:\(\d{2,4}\) ?)?\d{2,8}(?:[ -]\d{2,8}){0,4}${noCurrencyAfter}`;
const phoneStart = String.raw`(^|[^\p{L}\p{N}+@/.=-])`;
const phoneEnd = String.raw`(?![\d\p{L}@/-])`;
const anyPhone = `${international}|${inOnePiece}`;
const americanPattern = new RegExp(`${phoneStart}(${anyPhone}|${american})${phoneEnd}`, 'gu');
const zeroPattern = new RegExp(`${phoneStart}(${anyPhone}|${withZero})${phoneEnd}`, 'gu');
const groupsPattern = new RegExp(`${phoneStart}(${anyPhone}|${inGroups})${phoneEnd}`, 'gu');
/** An ISBN in one piece, or with its check digit in a group of its own. */
const isbnShape = /^\d+$|\D\d$/;
const internationalDigits = { min: 8, max: 15 };
const nationalDigits = { min: 9, max: 12 };
/** Ten digits without spaces that begin with a zero could be many other things. */
const digitsInOnePiece = { min: 11, max: 11 };
/**
 * A day with its year, as in 05.12.2026, 2026-12-05 or 20261205; two years or prices, as in 2025-2026 or 100-150 000; an
 * amount, as in 12 000 000.
 */
const otherNumberPattern = new RegExp(
  [
    String.raw`^\d{1,2}([ ./-])\d{1,2}\1(?:19|20)\d\d(?!\d)`,
    String.raw`^(?:19|20)\d\d([ -])(?:\d{1,2}\2\d{1,2}|(?:19|20)\d\d)(?!\d)`,
    String.raw`^(?:[0-3]\d[01]\d(?:19|20)\d\d|(?:19|20)\d\d(?:[01]\d[0-3]\d|(?:19|20)\d\d))$`,
    String.raw`^\d{4}-\d{4}$`,
    String.raw`^\d{1,2}(?: \d{3})+$`,
    String.raw`^\d{1,3}(?: \d{3})*-\d{1,3}(?: \d{3})+$`,
  ].join('|'),
);

const getPhonePattern = ({ callingCode, trunkPrefix }: CampusPhones): RegExp => {
  if (callingCode === '1') return americanPattern;
  return trunkPrefix === '0' ? zeroPattern : groupsPattern;
};

/** Whether these digits without a calling code, written as in a text, are a number of the campus's country. */
const isNationalNumber = (digits: string, number: string, campus: CampusPhones): boolean => {
  const { trunkPrefix, phoneDigits, mobilePattern } = campus;
  if (!digits.startsWith(trunkPrefix)) return false;
  const afterPrefix = digits.slice(trunkPrefix.length);
  // Superlinear, but of a few digits only.
  if (new RegExp(`^(?:${mobilePattern})$`).test(afterPrefix)) return true;
  const isInOnePiece = /^\d+$/.test(number);
  if (trunkPrefix !== '0') return !isInOnePiece && afterPrefix.length === phoneDigits;
  const { min, max } = isInOnePiece ? digitsInOnePiece : nationalDigits;
  return digits.length >= min && digits.length <= max;
};

const findInternationalForm = (number: string, campus: CampusPhones): string | undefined => {
  const digits = number.replace(/\D/g, '');
  if (number.startsWith('+')) {
    const { min, max } = internationalDigits;
    return digits.length >= min && digits.length <= max ? `+${digits}` : undefined;
  }
  const isIsbn = isbnShape.test(number) && parseIsbn(number) !== undefined;
  if (isIsbn || otherNumberPattern.test(number)) return undefined;
  const national = campus.callingCode === '1' && digits.length === 11 ? digits.replace(/^1/, '') : digits;
  return isNationalNumber(national, number, campus) ? toInternationalNumber(campus, national) : undefined;
};

/**
 * Returns the phone numbers of a text, in international form or as the country of the campus writes them where it can be
 * told from other numbers, with their digits in international form.
 */
export const findPhoneNumbers = (text: string, campus: CampusPhones): Found<string>[] =>
  [...text.matchAll(getPhonePattern(campus))].flatMap(({ index, 1: before = '', 2: number = '' }) => {
    const meaning = findInternationalForm(number, campus);
    return meaning ? [{ index: index + before.length, text: number, meaning }] : [];
  });

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const month =
  '(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const weekday =
  '(?<weekday>sun(?:day)?|mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?)';
const dayOfMonth = String.raw`(?<date>\d{1,2})(?:st|nd|rd|th)?`;
const time = String.raw`,? {1,2}(?:(?:at|@|around|by) {1,2})?(?:(?<hour>\d{1,2})(?:[:.](?<minute>\d\d))? ?(?<half>[ap])\.?m\b|(?<hour24>\d\d):(?<minute24>\d\d)(?![:\d])|(?<noon>noon)\b)`;
/** Days with a time. A day alone, and a time without "am" or "pm", could mean something else. */
const start = String.raw`(^|[^\p{L}\p{N}_-])`;
const monthAndDay = String.raw`(?:${weekday}[.,]? )?${month}[.]? ${dayOfMonth}(?:,? (?<year>20\d\d))?`;
const momentPatterns = [
  new RegExp(`${start}(?<relative>today|tonight|tomorrow|tmrw)${time}`, 'giu'),
  new RegExp(`${start}${weekday}${time}`, 'giu'),
  new RegExp(`${start}${monthAndDay}${time}`, 'giu'),
  new RegExp(String.raw`${start}(?<iso>20\d\d-\d\d-\d\d)${time}`, 'giu'),
];
/** Weekdays that are also other words. */
const otherWordPattern = /^(?:sat|sun|wed)$/;
/** Words before a day that leave open which one is meant. */
const vaguePattern = /\b(?:next|last|every|past|after|not|before) $/i;

const pad = (number: number): string => String(number).padStart(2, '0');

const toTime = (groups: Record<string, string | undefined>): string | undefined => {
  if (groups.noon) return '12:00';
  const { half } = groups;
  const hour = Number(groups.hour ?? groups.hour24);
  const minute = Number(groups.minute ?? groups.minute24 ?? 0);
  if (minute > 59 || (half ? hour < 1 || hour > 12 : hour > 23)) return undefined;
  const isAfternoon = half?.toLowerCase() === 'p';
  return `${pad(half ? (hour % 12) + (isAfternoon ? 12 : 0) : hour)}:${pad(minute)}`;
};

const isRealDay = (day: string): boolean => {
  const instant = Date.parse(day);
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(day);
};

const toDay = (groups: Record<string, string | undefined>, sentOn: string): string | undefined => {
  const { relative, iso, year } = groups;
  if (iso) return iso;
  if (relative) return addDays(sentOn, /^to(?:day|night)/i.test(relative) ? 0 : 1);
  if (!groups.month) {
    if (otherWordPattern.test(groups.weekday ?? '')) return undefined;
    const wanted = weekdayNames.indexOf((groups.weekday ?? '').slice(0, 3).toLowerCase());
    return addDays(sentOn, (wanted - new Date(sentOn).getUTCDay() + 7) % 7);
  }
  const monthAndDate = `${pad(monthNames.indexOf(groups.month.slice(0, 3).toLowerCase()) + 1)}-${pad(Number(groups.date))}`;
  const thisYear = `${sentOn.slice(0, 4)}-${monthAndDate}`;
  if (year) return `${year}-${monthAndDate}`;
  return thisYear < sentOn ? `${Number(sentOn.slice(0, 4)) + 1}-${monthAndDate}` : thisYear;
};

/**
 * Returns the days with a time in a text, such as "Friday at 3pm" or "Oct 12, 2026 at 15:30". A weekday is the first one
 * from the day on which the message was sent.
 */
export const findMoments = (text: string, sentAt: string, campus: CampusTimeZone): Found<CampusMoment>[] => {
  const sentOn = toCampusDay(campus, new Date(sentAt));
  return momentPatterns
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .flatMap(({ index, 0: whole, 1: before = '', groups = {} }) => {
      const from = index + before.length;
      const day = toDay(groups, sentOn);
      const at = toTime(groups);
      if (!day || !at || !isRealDay(day) || vaguePattern.test(text.slice(Math.max(0, from - 8), from)))
        return [];
      return [{ index: from, text: whole.slice(before.length), meaning: { day, time: at } }];
    })
    .sort((a, b) => a.index - b.index || b.text.length - a.text.length);
};

/** Maximum number of emoji of a message that is displayed large. */
const maxLargeEmoji = 3;
const emojiStart =
  /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator}\p{Regional_Indicator}|[#*\d]\uFE0F?\u20E3)/u;
const emojiPresentation = /\p{Emoji_Presentation}|[\uFE0F\u20E3]/u;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Returns whether a text consists of one to three emoji, which may have spaces between them. */
export const isLargeEmoji = (text: string): boolean => {
  if (text.length > 120) return false;
  const characters = [...graphemes.segment(text.replace(/\s/g, ''))].map(({ segment }) => segment);
  return (
    characters.length > 0 &&
    characters.length <= maxLargeEmoji &&
    characters.every((character) => emojiStart.test(character) && emojiPresentation.test(character))
  );
};

import { describe, expect, test } from 'vitest';
import { defaultCampus } from './campus.ts';
import { fullNameErrorMessages, getDisplayNameFromEmail, getFullNameSchema } from './names.ts';

const findNameError = (name: string, campus = defaultCampus): string | undefined =>
  getFullNameSchema(campus).safeParse(name).error?.issues[0]?.message;

describe('promise 54: a name that imitates the site, the campus, staff or the verified badge is refused', () => {
  test.each([
    ...['Quad Support', 'USC Admin', 'Admin', 'Moderator', 'Support', 'Quad', 'USC', 'The Quad Team'],
    ...['QuadSupport', 'quad-support', 'Q.U.A.D. Help', 'A d m i n', 'Admin_2024', 'Tommy (Admin)'],
    ...[
      'Verified USC Student',
      'USC Student',
      'USC Staff',
      'USC Alumni',
      'Tommy Trojan Verified',
      'Official Tommy',
    ],
    ...['University of Southern California', 'The University of Southern California Office', 'Help Desk'],
    ...['Support Team', 'Staff', 'Customer Service', 'Campus Police', 'Security', 'Quad Mike, Staff'],
    ...[
      'Quad Admin',
      'Q u a d Admin',
      'Ad-min',
      'Mo_d',
      'The University of Southern-California',
      'U S C Help',
    ],
  ])('%j', (name) => {
    expect(findNameError(name)).toBe(
      'Please use your own name: this one could be mistaken for Quad or USC staff',
    );
  });

  test.each([
    ['Cyrillic letters', 'Аdmіn', 'Ѕuрроrt', 'ОUАD Ѕuрроrt'.replace('О', 'Ԛ')],
    ['Greek letters', 'ΑDΜΙΝ', 'Mοderatοr'],
    ['Armenian and Cherokee letters', 'Mօderatօr', 'ᎪᎠᎷᏆΝ'],
    ['full-width letters', 'Ａｄｍｉｎ', 'Ｑｕａｄ Ｓｕｐｐｏｒｔ'],
    ['mathematical letters', '𝐀𝐝𝐦𝐢𝐧', '𝓠𝓾𝓪𝓭 𝓢𝓾𝓹𝓹𝓸𝓻𝓽'],
    ['small capitals', 'ᴀᴅᴍɪɴ', 'Qᴜᴀᴅ ꜱᴜᴘᴘᴏʀᴛ'],
    ['accents', 'Ádmìn', 'Quäd Süpport'],
    ['digits and signs', 'Adm1n', 'Supp0rt', '@dmin', 'M0derat0r', '$upport', 'Adm!n'],
    ['a capital I for an l', 'OfficiaI', 'Heıpdesk'],
    ['rn for m', 'Adrnin', 'rnoderator'],
    ['invisible characters', 'Ad\u200Bmin', 'Qu\u00ADad Sup\u2060port', '\u202EAdmin'],
    ['joiners and spaces', 'Ad\u200Cmin', 'A\u00A0d\u2003m i n'],
  ])('written with %s', (_how, ...names) => {
    for (const name of names)
      expect(findNameError(name), name).toBe(fullNameErrorMessages.impersonation(defaultCampus));
  });

  test('for the configured site and campus', () => {
    const campus = {
      ...defaultCampus,
      name: 'Brown University',
      shortName: 'Brown',
      siteName: 'Bear Market',
    };
    for (const name of ['Bear Market', 'BearMarket Help', 'Brown Staff', 'Brown University']) {
      expect(findNameError(name, campus), name).toBe(
        'Please use your own name: this one could be mistaken for Bear Market or Brown staff',
      );
    }
    for (const name of ['Mike Brown', 'Bear Grylls', 'Quad Help']) {
      expect(findNameError(name, campus), name).toBeUndefined();
    }
  });
});

test.each([
  'Tommy ✓',
  'Tommy ✔',
  '☑ Tommy',
  'Tommy ✅',
  'Tommy 🗸',
  'Tommy 😀',
  '🇺🇸',
  '1️⃣ Tommy',
  'Tommy 🏽',
  'Tommy √',
  'Ⓣommy',
  '🅣ommy',
])('promise 54: a name with an emoji or a check mark is refused: %s', (name) => {
  expect(findNameError(name)).toBe('Full name cannot contain emojis or check marks');
});

test.each(['', ' ', '\u200B', '\u3164\u3164', '\u2800', '\u202E', '\u0301\u0301', '...'])(
  'promise 54: refuses a name without a letter or a digit: %j',
  (name) => {
    expect(findNameError(name)).toBe('Please enter your full name');
  },
);

test.each([
  ...["O'Brien-Smith", 'O’Brien', 'José', '王小明', 'Quadri', 'Adminah', 'Chuck Norris', 'User'],
  ...['Tommy Trojan', 'Sam Student', 'Leslie Staff', 'Robert Service', 'Mod Helmy', 'Modupe Ade', 'Stafford'],
  ...['Owen Teamer', 'Ann Helpmann', 'Uscinski', 'Martin Luther King Jr.', 'Xiaoming (Kevin) Li', 'X Æ A-12'],
  ...[
    'Ngô Thị Hồng',
    'Владимир Иванов',
    'Γιώργος Παπαδόπουλος',
    'محمد علی\u200Cرضا',
    'किरण शर्\u200Dमा',
    'שרה כהן',
  ],
  ...['김민수', 'Søren Ångström', 'Ян', 'Louis XIV', 'Mary Ann 3rd', 'D’Angelo “Dee” Russell', 'Marc Lim'],
  ...[
    'Carnegie',
    'Vivian Vverner',
    'Teo Bottega',
    'Info Sato',
    'Student',
    'Alumita',
    'Sir Desk',
    'Serviceberry',
  ],
])('accepts the name of a person unchanged: %s', (name) => {
  expect(getFullNameSchema(defaultCampus).safeParse(name)).toEqual({ success: true, data: name });
});

test('stores a name in composed form', () => {
  expect(getFullNameSchema(defaultCampus).parse('Jose\u0301')).toBe('José');
});

test.each([
  ...[
    'Mo D',
    'Ad Min',
    'Bill Ing',
    'Ho St Aff',
    'Bo T',
    'Mo Ds',
    'Su Pport',
    'Qu Ad',
    'Us C',
    'Off Ice',
    'Te Am',
  ],
  ...['Adm In', 'Kim Odin', 'Ann Ofer', 'Ver If Ied', 'D. O. Mods', 'A. Dmin'],
])('accepts a name with words that make a reserved word only together: %s', (name) => {
  expect(findNameError(name)).toBeUndefined();
});

test('accepts a name that contains the letters of a short campus name across words', () => {
  const campus = { ...defaultCampus, name: 'MIT', shortName: 'MIT' };
  expect(findNameError('Tim Itzkowitz', campus)).toBeUndefined();
  expect(findNameError('MIT Office', campus)).toBeDefined();
});

test.each([
  ['tommy.trojan@usc.edu', 'tommy.trojan'],
  ['student-17@usc.edu', 'student-17'],
  ['20461375@usc.edu', '20461375'],
  ['_@usc.edu', 'User'],
  [`${'long'.repeat(30)}@usc.edu`, 'User'],
  ['quad.support@example.com', 'User'],
  ['usc-admin@example.com', 'User'],
  ['adm1n@example.com', 'User'],
])('promise 54: the account %s has the display name %s', (email, name) => {
  expect(getDisplayNameFromEmail(email, defaultCampus)).toBe(name);
});

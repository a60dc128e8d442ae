import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { renderCalendarEntry } from './calendar-entry.ts';
import { splitAtLinks, splitMessage } from './message-text.tsx';

const listLinks = (text: string) => splitAtLinks(text).filter((part) => typeof part !== 'string');
const listLinkTextsAndUrls = (text: string) => listLinks(text).map((link) => [link.text, link.href]);

describe('links in messages', () => {
  test.each([
    ['See https://example.com/desk?id=4#photos.', 'https://example.com/desk?id=4#photos'],
    ['(http://example.com/a_(b))', 'http://example.com/a_(b)'],
    ['“https://example.com:8443/x”, ok?', 'https://example.com:8443/x'],
    ['HTTPS://Example.com/Desk', 'HTTPS://Example.com/Desk'],
    ['two lines\nhttps://example.com\nand more', 'https://example.com'],
  ])('%j has one link, without the punctuation around it', (text, link) => {
    expect(listLinkTextsAndUrls(text)).toEqual([[link, new URL(link).href]]);
    expect(
      splitAtLinks(text)
        .map((part) => (typeof part === 'string' ? part : part.text))
        .join(''),
    ).toBe(text);
  });

  test.each([
    ['Chinese', '看这个https://example.com/desk很好', 'https://example.com/desk'],
    ['Chinese after a host', '价格https://example.com很好', 'https://example.com'],
    ['Chinese punctuation', '看这里：https://example.com/desk。谢谢', 'https://example.com/desk'],
    ['Chinese commas', '有https://example.com/desk，很好', 'https://example.com/desk'],
    ['wide brackets', '（https://example.com/desk）', 'https://example.com/desk'],
    ['corner brackets', '「https://example.com/desk」を見て', 'https://example.com/desk'],
    ['lenticular brackets', '【https://example.com/desk】', 'https://example.com/desk'],
    ['Japanese', 'https://example.com/deskを見てください', 'https://example.com/desk'],
    ['Japanese after a slash', 'https://example.com/を見てください', 'https://example.com/'],
    ['Thai', 'ดูที่https://example.com/deskครับ', 'https://example.com/desk'],
    ['asterisks', '*https://example.com/desk*', 'https://example.com/desk'],
    ['two asterisks', '**https://example.com/desk?a=1**!', 'https://example.com/desk?a=1'],
    ['underscores', '_https://example.com/a_b_', 'https://example.com/a_b'],
    ['tildes', '~~https://example.com/~ada~~', 'https://example.com/~ada'],
    ['brackets', '[https://example.com/desk]', 'https://example.com/desk'],
    ['braces', '{https://example.com/desk}', 'https://example.com/desk'],
    ['a host of Japanese letters', '見てhttps://例え.jp/a', 'https://xn--r8jz45g.jp/a'],
  ])('a link ends at what surrounds it: %s', (_, text, link) => {
    expect(listLinkTextsAndUrls(text)).toEqual([[link, new URL(link).href]]);
  });

  test.each([
    'https://example.com/user_',
    'https://example.com/~ada',
    'https://example.com/*/desk',
    'https://example.com/a[1]',
    'https://example.com/ελληνικά',
  ])('%s is a link to its end', (text) => {
    expect(listLinkTextsAndUrls(text)).toEqual([[text, new URL(text).href]]);
  });

  test.each([
    '联系我ada@usc.edu谢谢',
    'メール：ada@usc.edu。',
    '（ada@usc.edu）',
    '[ada@usc.edu]',
    '*ada@usc.edu*',
  ])('the email address in %j is a link', (text) => {
    expect(listLinkTextsAndUrls(text)).toEqual([['ada@usc.edu', 'mailto:ada@usc.edu']]);
  });

  test('email addresses become mailto links', () => {
    expect(listLinkTextsAndUrls('Write to ada+desk@usc.edu, or mailto:ben@usc.edu.')).toEqual([
      ['ada+desk@usc.edu', 'mailto:ada%2Bdesk@usc.edu'],
      ['mailto:ben@usc.edu', 'mailto:ben@usc.edu'],
    ]);
  });

  test('text in a message cannot add a subject or another recipient to an email link', () => {
    expect(listLinkTextsAndUrls('x?subject=hi&cc=me@usc.edu')).toEqual([
      ['x?subject=hi&cc=me@usc.edu', 'mailto:x%3Fsubject%3Dhi%26cc%3Dme@usc.edu'],
    ]);
    expect(listLinkTextsAndUrls('mailto:a@usc.edu?bcc=b%40usc.edu')).toEqual([
      ['mailto:a@usc.edu', 'mailto:a@usc.edu'],
    ]);
  });

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt://example.com/%0aalert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1) file:///etc/passwd blob:x',
    'ftp://example.com/desk',
    '//example.com/desk',
    'tel:+12135550100 213-555-0100',
    'intent://example.com#Intent;end',
    'example.com, version 1.2.3.4',
    'https://bank.com@evil.com/login',
    'https://bank.com:443@evil.com/login',
    'https://user:secret@evil.com',
    'https:// example.com',
    'http://',
    'ada@münchen.de',
  ])('%j has no link', (text) => {
    expect(splitAtLinks(text)).toEqual([text]);
  });

  test.each([
    ['look-alike letters', 'https://аpple.com/login', 'https://xn--pple-43d.com/login'],
    ['wide letters', 'https://ｅvil.com', 'https://evil.com/'],
    ['a number as a host', 'http://2130706433/x', 'http://127.0.0.1/x'],
    ['the default port', 'https://example.com:443/', 'https://example.com/'],
  ])('the text of a link shows its real host: %s', (_, text, href) => {
    expect(listLinkTextsAndUrls(text)).toEqual([[href, href]]);
  });

  test.each(['https://usc.edu。evil.com/', 'https://usc.edu%2eevil.com/'])(
    'the link in %j ends after https://usc.edu',
    (text) => {
      expect(listLinkTextsAndUrls(text)).toEqual([['https://usc.edu', 'https://usc.edu/']]);
    },
  );

  test('a backslash does not hide the host', () => {
    const [link] = listLinks('https://usc.edu\\@evil.com/');
    if (link) expect(new URL(link.href).host).toBe('usc.edu');
    expect(listLinks('https:\\\\evil.com')).toEqual([]);
  });

  test('right-to-left letters around and in a link change neither its text nor its host', () => {
    const text = 'שלום https://evil.com/שלום/moc.elgoog תודה';
    expect(listLinkTextsAndUrls(text)).toEqual([
      ['https://evil.com/שלום/moc.elgoog', new URL(text.split(' ')[1] ?? '').href],
    ]);
    const [hidden] = listLinks('https://usc.edu.שלום.com/');
    expect(hidden?.text).toMatch(/^https:\/\/usc\.edu\.xn--[a-z0-9-]+\.com\/$/);
  });

  test('a message of the maximum length, with one link or many, is split quickly', () => {
    const long = `https://example.com/${'a'.repeat(1980)}`;
    expect(listLinkTextsAndUrls(long)).toEqual([[long, long]]);
    expect(listLinks('a@b.co '.repeat(285))).toHaveLength(285);
    for (const part of [
      '*',
      '_',
      '//',
      '好',
      '[ ',
      '(',
      '[(',
      'a.',
      'a@',
      '@',
      'http://',
      'http://a.',
      'a-',
      '\u200f',
      'xn--',
    ]) {
      const text = part.repeat(2000).slice(0, 2000);
      expect(splitAtLinks(text).length, part).toBeGreaterThan(0);
      splitAtLinks(`http://a/${text}`);
      splitAtLinks(`${text}@${text}`.slice(0, 2000));
    }
  });

  test('in any text, only http, https and mailto URLs become links, and a web link begins with its real origin', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(
        'http://',
        'https://',
        'mailto:',
        'javascript:',
        '@',
        '.com',
        '\\',
        '/',
        '%2e',
        ':80',
        '\u202e',
      ),
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.emailAddress(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        for (const { text, href } of listLinks(pieces.join(''))) {
          const { protocol, origin, username } = new URL(href);
          expect(['http:', 'https:', 'mailto:']).toContain(protocol);
          expect(username).toBe('');
          if (protocol === 'mailto:') expect(text).not.toMatch(/[^\x20-\x7e]/);
          else expect(text.toLowerCase().startsWith(origin)).toBe(true);
        }
      }),
    );
  });
});

test('phone numbers and days with a time are parts of their own, but not within links', () => {
  const sentAt = '2026-10-14T18:00:00.000Z';
  expect(
    splitMessage(
      'Call 213-555-0100 on Friday at 3pm, or see https://a.example/213-555-0100',
      sentAt,
      defaultCampus,
    ),
  ).toEqual([
    'Call ',
    { text: '213-555-0100', href: 'tel:+12135550100' },
    ' on ',
    { text: 'Friday at 3pm', isMoment: true, punctuation: ',' },
    ' or see ',
    { text: 'https://a.example/213-555-0100', href: 'https://a.example/213-555-0100' },
  ]);
  for (const part of ['1-', '(1', '+1 ', 'mon ', 'oct 1 ', 'today, ', '1:', '2026-10-10 '])
    splitMessage(part.repeat(2000).slice(0, 2000), sentAt, defaultCampus);
});

test('a calendar entry has the campus time in UTC and the beginning of the message, in lines of at most 75 bytes', () => {
  const text = `Meet, ${'é'.repeat(60)}; ok?\nBEGIN:VEVENT`;
  const file = renderCalendarEntry(
    text,
    { day: '2026-10-16', time: '15:00' },
    { timezone: 'America/Los_Angeles' },
  );
  expect(file).toContain('\r\nDTSTART:20261016T220000Z\r\nDTEND:20261016T230000Z\r\n');
  expect(file.replaceAll('\r\n ', '')).toContain(`SUMMARY:Meet\\, ${'é'.repeat(60)}\\; ok? BEGIN:VEVENT\r\n`);
  for (const line of file.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
});

import { describe, expect, test } from 'vitest';
import { findWarningKinds } from './message-warnings.ts';
import { type WarningKind, warningMessages } from './warning-rules.ts';

const ownHosts = ['quad.example', 'usc.edu'];
const find = (text: string) => findWarningKinds(text, ownHosts);

/** Messages that cause exactly one warning. */
const warned: Record<Exclude<WarningKind, 'new_account'>, string[]> = {
  verification_code: [
    'send me the 6-digit code you just got',
    'Can you text me the code Google sent you?',
    'I sent a verification code to your phone, tell me it',
    'what’s the code you received?',
    'Reply with the verification c0de',
    'give me the OTP',
    'share ur pin that zelle sent',
    'I need the code to prove you are real',
    'its a google voice thing, read me the code that was texted to you',
    'what is the six digit number',
    'tell me the v e r i f i c a t i o n code',
    'I’ll send a code to your phone to make sure you’re not a bot',
    'Whats the one-time password?',
    'just forward me the sms code',
    'send me the code you recieved',
  ],
  advance_payment: [
    'Please pay in advance.',
    'Venmo me first and I’ll hold it for you',
    'send a $50 deposit to reserve it',
    'Can you zelle me now? I’ll ship it tomorrow',
    'You have to pay upfront',
    'I need the payment before we meet',
    'cash app me half first',
    'Send me an Apple gift card instead',
    'wire transfer only',
    'you can pay with bitcoin',
    'I will mail you a cashier’s check',
    'I need the money first',
    'just pay the shipping fee and it’s yours',
    'A deposit would secure it',
    'PayPal friends and family please',
    'P A Y up front',
    'V3nmo me first',
  ],
  link: [
    'Pay here: https://evil.example/pay',
    'see www.evil.com',
    'go to evil-shop.com',
    'bit.ly/3abcd',
    'https://usc.edu.evil.example/login',
    'https://usc.edu@evil.example',
    'https://quad.example.evil.net',
    'HTTP://EVIL.EXAMPLE',
    'https://notusc.edu/',
    '付款：https://evil.example/pay。',
    '请看https://evil.example很好',
    '看evil.com吧',
    '*https://evil.example*',
    'https://usc.edu。evil.com/',
    'https://例え.jp/',
    'ดูที่evil.com/payครับ',
  ],
  other_messenger: [
    'text me on WhatsApp',
    'add me on snap',
    'let’s move to telegram',
    'hmu on insta',
    'DM me on IG',
    'my number is 213-555-0100',
    'Text me at (213) 555-0100',
    'call me: +1 213 555 0100',
    'do you have whatsapp?',
    'wats app? no: watsapp me',
    'what’s your snap?',
    'can we take this off the app',
    'email me at john@gmail.com',
    'message me on w h a t s a p p',
    'Message me on Wh@tsApp',
    'Lets chat over wechat',
  ],
};

/** Ordinary messages between students, which must cause no warning. */
const unwarned = [
  'what’s the code for the building gate?',
  'Send me the gate code when you’re here',
  'The door code is 4821#',
  'can you give me the code to your apartment building?',
  'What’s the wifi code?',
  'My zip code is 90007',
  'Is the access code of the textbook unused?',
  'use promo code TROJAN10',
  'Which course code is it for? CS 104?',
  'I code in Python',
  'Are you verified?',
  'I verified the measurements, it’s 48 inches',
  'The pin of the hinge is missing',
  'The keypad has six digits',
  'I can pay with Venmo when we meet',
  'Do you take Venmo or cash?',
  'Zelle is fine at pickup',
  'I’ll bring cash',
  'Can I pay you after I look at it?',
  'Pay me when you pick it up',
  'I’d rather not pay in advance',
  'please don’t send money upfront',
  'Is there a security deposit for the sublet?',
  'I paid $80 for it last year',
  'First come, first served',
  'I have a class first, then I can meet',
  'Can I see it first?',
  'Send the picture first please',
  'Can you hold it until Friday?',
  'I can reserve a table in the library',
  'Is shipping possible?',
  'I’m out of cash, the ATM is next to the store',
  'How much for the gift cards holder?',
  'Text me when you get here',
  'Call me when you arrive!',
  'I’ll text you',
  'I saw this on your Instagram',
  'The router has a strong signal',
  'The lid snaps on',
  'Is the telegram poster framed?',
  'Meet at Tommy Trojan at 3:30 on 11/24?',
  'Room 204, building 3, around 2 or 3',
  'It has 3 drawers, 48 x 24 x 30 inches',
  'Message me if you’re late',
  'sounds good.is it ok at 5?',
  'see you at 5.no rush',
  'e.g. the desk, i.e. the oak one',
  'https://usc.edu/map shows the spot',
  'https://www.usc.edu/parking',
  '看https://usc.edu/map很好',
  '地図はhttps://www.usc.edu/parkingを見て',
  'https://quad.example/listing/desk-12345',
  'ada@usc.edu is on the listing',
  'Version 1.2.3 of the game',
  'Is $40 ok? I can do 35',
  'Hey! Is this still available?',
  'It’s in great condition, my roommate is moving out on May 12',
  'ISBN 978-0-13-468599-1',
  'Can you do 20 for both? I’m at 901 W 30th St, apt 12',
  '',
];

describe('warnings about messages', () => {
  for (const [kind, texts] of Object.entries(warned)) {
    test.each(texts)(`${kind}: %j`, (text) => {
      expect(find(text)).toEqual([kind]);
    });
  }

  test.each(unwarned)('ordinary messages cause no warning: %j', (text) => {
    expect(find(text)).toEqual([]);
  });

  test('a message can cause several warnings, the most important first', () => {
    const text = 'Text me on WhatsApp, pay in advance at https://evil.example and send me the 6-digit code';
    expect(find(text)).toEqual(['verification_code', 'advance_payment', 'link', 'other_messenger']);
  });

  test('a message of the maximum length is checked quickly, even if it repeats a phrase', () => {
    for (const part of ['send ', 'text me on ', 'pay ', 'code you ', 'text ', '1 ', 'a.b/', 'v ']) {
      const text = part.repeat(2000).slice(0, 2000);
      expect(Array.isArray(find(text)), part).toBe(true);
    }
  });

  test('each warning is a short, complete sentence', () => {
    for (const sentence of Object.values(warningMessages)) {
      expect(sentence.length).toBeLessThan(120);
      expect(sentence).toMatch(/^[A-Z].*\.$/);
    }
  });
});

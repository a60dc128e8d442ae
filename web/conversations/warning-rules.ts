import { type PhraseIndex, parsePhrases } from '#contract/phrase-matching.ts';

/** The kinds of warnings about received messages, most important first. */
export const warningKinds = [
  'new_account',
  'verification_code',
  'advance_payment',
  'link',
  'other_messenger',
] as const;
export type WarningKind = (typeof warningKinds)[number];

/** The text of each warning, shown below the message that caused it. */
export const warningMessages: Record<WarningKind, string> = {
  new_account: 'This account is less than a week old. Meet in person before you pay or hand anything over.',
  verification_code:
    'Never share a code that was sent to you. With it, somebody else can get into your accounts.',
  advance_payment:
    'Pay only when you meet and have seen the item. Asking for money before that is a common scam.',
  link: 'This link leads to another website. Don’t enter a password, a code or card details there.',
  other_messenger: 'It’s safer to keep the conversation here, where you have a record of what was agreed.',
};

/** The phrases that cause a warning; words inside a `harmless` phrase do not count. */
export interface ScamWordingRule {
  phrases: PhraseIndex;
  harmless: PhraseIndex;
}

const transfers = 'venmo|zelle|zell|paypal|cashapp|wire';
const messengers =
  'whatsapp|watsapp|whatsap|watsap|whatapp|wattsapp|telegram|wechat|snapchat|snap|insta|instagram|ig|discord|messenger|facebook|fb|signal|viber|kik|imessage|groupme';
const codeOwners =
  'verification|confirmation|authentication|authenticator|security|sms|2fa|otp|login|google|whatsapp|zelle|venmo|paypal';
const codeRequests =
  'send|text|give|tell|share|forward|read|show|reply|message|dm|need|want|whats|what|enter';
const doors =
  'gate|door|building|garage|lock|locker|lockbox|elevator|laundry|parking|entry|entrance|keypad|buzzer|callbox|intercom|apartment|apt|dorm|room|wifi|house|lobby|mailroom';

/** The phrases that cause a warning about a received message, by the kind of warning. */
export const scamWordingRules = {
  verification_code: {
    harmless: parsePhrases(`
      ${doors}|zip|postal|area|promo|discount|coupon|referral|course|class|dress|qr|bar|section|product|item|access|color code|codes|pin
      code|codes|pin for|to|of|on|at the|your|my|our|ur ${doors}|package
      code|codes|pin for|to|of|on|at the|your|my|our|ur … ${doors}
    `),
    phrases: parsePhrases(`
      ${codeOwners} code|codes|pin|passcode
      one time code|password|passcode|pin
      onetime code|password|passcode|pin
      otp
      ${codeRequests} … 4|four|5|five|6|six digit|digits|number code|codes|pin|number
      ${codeRequests} … 6|six digit|digits
      ${codeRequests} … code|codes|pin|passcode … you|u|your|ur … got|get|gotten|received|recieved|receive
      ${codeRequests} … code|codes|pin|passcode … sent|texted|emailed|mailed|messaged … you|u|your|ur
      ${codeRequests} … code|codes|pin|passcode … sent|send|sends|texted … me
      code|codes|pin you|u just|should|will … got|get|gotten|received|recieved|receive
      code|codes|pin … google|whatsapp|zelle|venmo|paypal|apple|bank … sent|sends|texted
      send|sending|sent|text|texting|texted … code|codes|pin to your|ur phone|number|cell|email|mobile
      code|codes|pin … prove|verify|confirm … real|legit|human|scammer|bot|you|u
    `),
  },
  advance_payment: {
    harmless: parsePhrases(`
      no|not|never|dont|wont|without|instead|rather … pay|paying|payment|send|sending … advance|upfront|first|front|beforehand|deposit
    `),
    phrases: parsePhrases(`
      pay|paid|paying|payment|money|cash|deposit|${transfers}|transfer|half|price … in advance
      pay|paid|paying|payment|money|deposit|${transfers}|transfer|half|price|fee … upfront|beforehand|prior
      pay|paid|paying|payment|money|deposit|${transfers}|transfer|half|price|fee … up front
      pay|${transfers} me|us|it first|now|today|upfront|half
      pay|${transfers} first
      ${transfers} … first
      cash app … first|now|upfront
      send|transfer|need|want|get|receive … money|payment|deposit|half … first|before|upfront
      pay|payment|money|paid|deposit|${transfers} … before … meet|meeting|meetup|pickup|ship|shipping|delivery|delivering|see|handover
      deposit … hold|reserve|secure|save
      hold|reserve|secure … with|for|after … deposit|payment
      pay|${transfers} … to|and|so|ill|will … hold|reserve|secure|ship
      send|buy|get|need|pay … gift|itunes|steam card|cards
      wire transfer
      western union
      moneygram
      pay|send|payment|paid|transfer … bitcoin|btc|crypto|usdt|ethereum
      cashiers|cashier|certified check|cheque
      prepay|prepayment|prepaid payment
      prepay|prepayment
      pay|send … shipping|delivery|courier|insurance|customs fee|fees|cost|costs
      paypal … friends and|n family
    `),
  },
  other_messenger: {
    harmless: parsePhrases(''),
    phrases: parsePhrases(`
      text|message|msg|contact|add|reach|hmu|dm|ping|write|find|chat|talk|continue|switch|move|moving|go|lets … on|to|over|via|through|using|at|my ${messengers}
      whatsapp|watsapp|whatsap|wechat|telegram|snapchat|viber me|us
      have|got|use|using|on whatsapp|watsapp|whatsap|wechat|telegram|viber
      my|your|ur|whats whatsapp|watsapp|whatsap|wechat|telegram|snap|snapchat|viber|kik|discord
      my|your|ur insta|instagram|ig is|handle|name|username
      whats your|ur insta|instagram|ig
      off|outside|leave|from|out … the|this|that app|site|website|platform … and|so|to|text|talk
      take|move|do this|it|conversation|chat off|outside
      off|outside the|this app|site|website|platform
      text|call|message|msg|reach|contact|ping|number|cell|phone|whatsapp … # # #
      text|call|message|msg|reach|contact|ping … me|us … at|on|my … # #
      my|the number|cell is #
      email|mail me|us at|on
    `),
  },
} as const satisfies Partial<Record<WarningKind, ScamWordingRule>>;

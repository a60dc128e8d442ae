import { expect, test } from 'vitest';
import { defaultCampus as campus } from '#contract/campus.ts';
import { type DealNoticeFacts, type DealNoticeKind, renderDealNoticeContent } from './deal-notice-email.ts';
import { renderNotificationContent } from './notification-email.ts';
import { layOutEmail, type RenderedEmail, renderEmail } from './templates.ts';
import { renderUnreadContent } from './unread-email.ts';

const context = { campus, publicUrl: 'https://quad.example' };
const to = 'reader@usc.edu';
const conversationId = '6a2c8f0e-8b0f-4f0e-9a54-0c8a52f4b1aa';
const written = 'שולחן 2';
const removeIsolated = (text: string): string => text.replaceAll(/\u2068[^\u2068\u2069]*\u2069/g, '');

const createNotice = (kind: DealNoticeKind, reader: 'buyer' | 'seller'): DealNoticeFacts => ({
  kind,
  reader,
  dealKind: 'rental',
  otherName: written,
  title: written,
  conversationId,
  deadline: '2026-11-24T17:00:00.000Z',
  time: '2026-11-24T17:00:00.000Z',
  place: written,
  firstDay: '2026-11-24',
  lastDay: '2026-11-26',
  longerHoldHours: 48,
  transitions: [],
});
const noticeKinds: DealNoticeKind[] = [
  'offer_ending',
  'hold_ending',
  'handover_day',
  'handover_hour',
  'did_you_meet',
  'overdue',
  'item_not_back',
];
const handover = {
  kind: 'handover',
  to,
  readerName: written,
  otherName: written,
  reader: 'buyer',
  title: written,
  place: written,
  time: '2026-11-24T17:00:00.000Z',
  conversationId,
  calendar: '',
} as const;

const createEmails = (): RenderedEmail[] => [
  ...noticeKinds.flatMap((kind) =>
    (['buyer', 'seller'] as const).map((reader) =>
      layOutEmail(
        to,
        renderDealNoticeContent({ readerName: written, notices: [createNotice(kind, reader)] }, context),
        campus,
      ),
    ),
  ),
  layOutEmail(
    to,
    renderDealNoticeContent(
      { readerName: written, notices: noticeKinds.map((kind) => createNotice(kind, 'buyer')) },
      context,
    ),
    campus,
  ),
  ...(['agreed', 'changed', 'cancelled'] as const).map((news) => renderEmail({ ...handover, news }, context)),
  renderEmail(
    {
      kind: 'first_message',
      to,
      sellerName: written,
      buyerName: written,
      listingTitle: written,
      messageText: written,
      conversationId,
    },
    context,
  ),
  renderEmail(
    { kind: 'form', to, subject: 'Contact', facts: { Name: written, Topic: 'Other' }, text: written },
    context,
  ),
  renderEmail({ kind: 'form_answer', to, subject: 'Other', text: written, question: written }, context),
  layOutEmail(
    to,
    renderUnreadContent(
      {
        readerName: written,
        conversations: [
          {
            id: conversationId,
            otherName: written,
            listingTitle: written,
            count: 2,
            isWritten: true,
            beginnings: [written],
          },
        ],
      },
      context.publicUrl,
    ),
    campus,
  ),
  layOutEmail(
    to,
    renderNotificationContent(
      {
        readerName: written,
        about: 'saved_listings',
        items: [{ title: `“\u2068${written}\u2069” was sold`, text: 'You saved it.', path: '/saved' }],
      },
      context.publicUrl,
    ),
    campus,
  ),
];

test('every email isolates names, titles and places in its sentences, and quotations have their own direction', () => {
  const emails = createEmails();
  expect(emails.length).toBeGreaterThan(20);
  for (const { subject, text, html } of emails) {
    const ownParagraphs = text.split('\n\n').filter((it) => it !== written && it !== `> ${written}`);
    const sentences = [subject, ...ownParagraphs.flatMap((it) => it.split('\n> ')[0] ?? '')];
    expect(sentences.map(removeIsolated).join('\n')).not.toMatch(/\p{Script=Hebrew}/u);
    const directed = html.replaceAll(/<(\w+) dir="auto"[^>]*>[^<]*<\/\1>/g, '');
    expect(removeIsolated(directed)).not.toMatch(/\p{Script=Hebrew}/u);
  }
});

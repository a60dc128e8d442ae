import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { consoleCalls } from '#contract/console-calls.ts';
import type { ConsolePerson } from '#contract/console-people.ts';
import type { CaseSummary, ModerationCase } from '#contract/moderation.ts';
import { findForeignForms, foreignCampuses } from '#contract/testing.ts';
import { createTestApi } from '#web/testing/api.ts';
import { openScreen } from '#web/testing/screen.tsx';
import { signIn } from '#web/testing/session.ts';
import { Console } from './console.tsx';
import { consoleSectionNames } from './console-sections.ts';

const api = createTestApi();
/** A number that is written as in 12.345 or 12,345. */
const count = 12_345;
const time = '2026-11-24T17:30:00.000Z';
const id = '6a2c8f0e-8b0f-4f0e-9a54-0c8a52f4b1aa';
const own = { ownId: id, role: 'administrator' } as const;

const period = { from: '2026-11-23', sign_ups: count, listings: count, deals: count, cases: count };
const summary: CaseSummary = {
  id,
  subject: 'listing',
  title: 'Desk',
  person: { id, name: 'Sue' },
  state: 'open',
  risk: 1,
  report_count: count,
  reasons: ['scam'],
  signals: ['no_shows'],
  has_appeal: false,
  assigned_to: null,
  assigned_until: null,
  opened_at: time,
  resolved_at: null,
};
const toCase = (price: number): ModerationCase => ({
  ...summary,
  quotes: [
    {
      id,
      content: {
        ...{ subject: 'listing', title: 'Desk', price, game_date: '2026-11-24', face_value: price },
        category: 'game-day',
      },
      photo_count: 0,
      quoted_at: time,
    },
    {
      id: crypto.randomUUID(),
      content: {
        subject: 'message',
        listing_title: 'Desk',
        messages: [{ from: 'reported', text: 'Hello', sent_at: time, is_reported: true }],
      },
      photo_count: 0,
      quoted_at: time,
    },
    {
      id: crypto.randomUUID(),
      content: { subject: 'wanted', title: 'A lamp', category: 'furniture', max_price: price },
      photo_count: 0,
      quoted_at: time,
    },
  ],
  reports: [{ quote_id: id, reporter: null, reason: 'scam', text: 'Not real', created_at: time }],
  signal_details: [],
  history: {
    ...{ joined_at: time, is_verified: true, suspended_at: time, suspended_until: time },
    ...{ listings: count, completed_deals: count, earlier_cases: count, earlier_actions: count },
  },
  listing: null,
  actions: [
    {
      ...{ id, action: 'warn', reason: 'Not allowed', days: null, actor: 'Ada', is_own: false },
      ...{ can_undo: false, chosen_at: time, takes_effect_at: time, applied_at: time, undone_at: null },
      ...{ restored_at: null, failure: null, appeal: null },
    },
  ],
  needs_administrator: false,
  possible_actions: ['dismiss'],
  dismissal_publishes: false,
});
const person: ConsolePerson = {
  ...{ id, email: 'sue@usc.edu', full_name: 'Sue', campus_email: null, usc_verified: false },
  ...{ membership_ends_on: '2026-11-24', membership_ended_at: null, console_role: null },
  ...{ has_second_factor: false, created_at: time, confirmed_at: time, suspended_at: time },
  ...{ suspended_until: time, sessions: count, last_used_at: time, published: count, hidden: count },
};
const form = { id, kind: 'contact', title: 'Hello', email: null, created_at: time, done_at: null } as const;

const answerAll = (price: number) => {
  api.answer(consoleCalls.getOverview, {
    ...{ days: [period], weeks: [period], open_cases: count, oldest_case_at: time },
    median_seconds_to_action: 60,
  });
  api.answer(consoleCalls.listCases, { items: [summary], next_cursor: null });
  api.answer(consoleCalls.getCase, toCase(price));
  api.answer(consoleCalls.listPeople, { items: [person], next_cursor: null });
  api.answer(consoleCalls.getPerson, {
    ...person,
    session_list: [{ id, device_name: null, created_at: time, last_used_at: time }],
  });
  api.answer(consoleCalls.listForms, { items: [form], next_cursor: null });
  api.answer(consoleCalls.getForm, {
    ...form,
    fields: [{ name: 'message', value: 'Hello' }],
    resume: { name: 'resume.pdf', bytes: count * 1000 },
    ...{ sender: null, named_account: null },
    answers: [{ id, text: 'Hello', author: 'Ada', created_at: time }],
  });
  api.answer(consoleCalls.listConsoleSpots, {
    items: [
      {
        ...{ id, name: 'Library', landmark: null, is_indoors: true, is_lit: true },
        ...{ has_camera_or_phone: null, opening_hours: null, confirmed_at: time },
      },
    ],
  });
  const course = { code: 'MATH 125', title: 'Calculus', term: null, books: count };
  api.answer(consoleCalls.listConsoleCourses, { items: [course], total: 1, next_cursor: null });
  api.answer(consoleCalls.getAnnouncement, {
    announcement: { text: 'Move-in week', begins_at: time, ends_at: time },
  });
  api.answer(consoleCalls.getDemoData, { accounts: count, listings: count });
};

/** What is on each screen of the console once it is loaded. */
const screens = {
  '': 'in total',
  cases: 'Desk',
  [`cases/${id}`]: 'Earlier decisions',
  people: 'sue@usc.edu',
  [`people/${id}`]: 'Sessions',
  forms: 'Hello',
  [`forms/${id}`]: 'resume.pdf',
  spots: 'Library',
  courses: 'Calculus',
  announcement: 'Move-in week',
  'demo-data': 'demo accounts',
};
const localized = Object.entries(screens).flatMap(([path, text]) =>
  (['de-DE', 'ja-JP'] as const).map((locale) => ({ path, text, locale })),
);

beforeEach(() => page.viewport(1280, 900));
beforeEach(signIn);

test('every section of the console is walked below', () => {
  const sections = new Set(Object.keys(screens).map((path) => path.split('/')[0] || 'overview'));
  expect([...sections]).toEqual(consoleSectionNames);
});

test.each(localized)(
  'promise 113: /moderation/$path contains no other form than those of $locale',
  async ({ path, text, locale }) => {
    const isGerman = locale === 'de-DE';
    answerAll(isGerman ? 1234.5 : 123_400);
    const Screen = () => <Console {...own} path={path} notFound="No such screen" />;
    await openScreen(`/moderation/${path}`, { '/moderation/*': Screen }, foreignCampuses[locale]);
    const read = () => [...document.querySelectorAll('main')].at(-1)?.textContent ?? '';
    await expect.poll(read).toContain(text);
    const shown = read().replace(/[\u00a0\u202f]/g, ' ');
    expect(findForeignForms(locale, shown)).toEqual([]);
    expect(shown).not.toContain(String(count));
    if (path === `cases/${id}`) expect(shown).toContain(isGerman ? '1.234,50 €' : '¥123,400');
  },
);

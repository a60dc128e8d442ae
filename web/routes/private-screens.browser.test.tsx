import type { ComponentType } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import { privateScreenPaths } from '#contract/private-screens.ts';
import { createDeal, createHandover, findForeignForms, foreignCampuses } from '#contract/testing.ts';
import { createTestApi, networkFailure, refuse } from '#web/testing/api.ts';
import { listViolations } from '#web/testing/axe.ts';
import { getRecorded } from '#web/testing/recorded.ts';
import { openScreen } from '#web/testing/screen.tsx';
import { signIn } from '#web/testing/session.ts';
import Decisions from './decisions.tsx';
import Handovers from './handovers.tsx';
import Messages from './messages.tsx';
import MyListings from './my-listings.tsx';
import Notifications from './notifications.tsx';
import PostAd from './post-ad.tsx';
import Profile from './profile.tsx';
import ProfileEdit from './profile-edit.tsx';
import ProfileSetup from './profile-setup.tsx';
import Saved from './saved.tsx';

type RecordedName = Parameters<typeof getRecorded>[0];

interface PrivateScreen {
  path: string;
  Component: ComponentType;
  /** The call that loads the screen or a part of it. */
  call: RecordedName;
  /** The response of the call, unless it is the recorded one. */
  response?: unknown;
  /** Other calls that the screen makes. */
  also?: (RecordedName | 'countWantedMatches')[];
  /** A text that the loaded screen shows. */
  text: string | RegExp;
}

const api = createTestApi();
const [ownListing] = getRecorded('listMyListings').items;
const createAgreedDeal = () =>
  createDeal({
    state: 'held',
    handover: createHandover({ time: new Date().toISOString(), agreed: true }),
  });
const title = ownListing?.title ?? '';
const answerAlso = (names: NonNullable<PrivateScreen['also']>) => {
  for (const name of names)
    api.answer(calls[name], (name === 'countWantedMatches' ? { people: 3 } : getRecorded(name)) as never);
};
const expectRequested = async (names: NonNullable<PrivateScreen['also']>) => {
  for (const name of names)
    await expect.poll(() => api.listRequests(calls[name]).length, { message: name }).toBeGreaterThan(0);
};

const screens: PrivateScreen[] = [
  { path: '/profile', Component: Profile, call: 'getMe', also: ['listMyListings'], text: 'Edit Profile' },
  { path: '/profile', Component: Profile, call: 'listMyListings', also: ['getMe'], text: title },
  { path: '/profile/edit', Component: ProfileEdit, call: 'getMe', text: 'Save Changes' },
  { path: '/profile-setup', Component: ProfileSetup, call: 'getMe', text: 'Complete Setup' },
  {
    path: '/my-listings',
    Component: MyListings,
    call: 'listMyListings',
    also: ['getMe'],
    text: title,
  },
  {
    path: '/post-ad',
    Component: PostAd,
    call: 'getMyListing',
    also: ['getMe', 'findSalePrices', 'countWantedMatches'],
    text: 'Contact phone',
  },
  {
    path: '/saved',
    Component: Saved,
    call: 'listSavedListings',
    also: ['listSavedIds'],
    text: /^\d+ listings?$/,
  },
  {
    path: '/notifications',
    Component: Notifications,
    call: 'listNotifications',
    text: /^(\d+ unread|Everything is read)$/,
  },
  {
    path: '/handovers',
    Component: Handovers,
    call: 'listHandovers',
    response: { items: [createAgreedDeal()] },
    text: 'Add to calendar',
  },
  { path: '/decisions', Component: Decisions, call: 'listDecisions', text: /^Reason: / },
  {
    path: '/messages',
    Component: Messages,
    call: 'listConversations',
    response: { items: [], next_cursor: null },
    also: ['countUnread', 'listHandovers'],
    text: 'No conversations yet',
  },
];

beforeEach(signIn);

test('every private screen is tested below', () => {
  expect([...new Set(screens.map(({ path }) => path))].sort()).toEqual([...privateScreenPaths].sort());
});

test.each(screens)(
  '$path shows that $call is loading, fails, and shows what a retry loads',
  async (screen) => {
    const { path, Component, call, response = getRecorded(call), also = [], text } = screen;
    answerAlso(also);
    const failures = [refuse('internal'), refuse('unavailable'), networkFailure()];
    const loading = api.hold(calls[call], () => {
      const failure = failures.shift();
      if (failure) throw failure;
      return response as never;
    });
    const main = page.getByRole('main');
    const retry = main.getByRole('button', { name: 'Try again' }).first();
    await openScreen(path === '/post-ad' ? `/post-ad?edit=${ownListing?.id}` : path, { [path]: Component });
    await expect.element(main.getByText(/^Loading/).first()).toBeInTheDocument();
    expect(await listViolations()).toEqual([]);
    loading.release();
    await expect.element(retry).toBeVisible();
    expect(await listViolations()).toEqual([]);
    while (failures.length > 0) {
      const left = failures.length;
      await retry.click();
      await expect.poll(() => failures.length).toBe(left - 1);
      await expect.element(retry).toBeVisible();
    }
    await retry.click();
    await expect.element(main.getByText(text).first()).toBeVisible();
    await expect.element(retry).not.toBeInTheDocument();
    await expectRequested(also);
  },
);

/** The server writes the texts of notifications in the forms of its campus (server/mail/anywhere.test.ts). */
const withoutServerTexts = (response: unknown): unknown => {
  const { items = [] } = response as { items?: object[] };
  return { ...(response as object), items: items.map((it) => ({ ...it, title: 'News', text: 'Text' })) };
};
const localizedScreens = screens.flatMap((screen) =>
  (['de-DE', 'ja-JP'] as const).map((locale) => ({ ...screen, locale })),
);

test.each(localizedScreens)(
  'promise 113: $path with $call contains no other form than those of $locale',
  async ({ path, Component, call, response = getRecorded(call), also = [], text, locale }) => {
    answerAlso(also);
    api.answer(
      calls[call],
      (call === 'listNotifications' ? withoutServerTexts(response) : response) as never,
    );
    const address = path === '/post-ad' ? `/post-ad?edit=${ownListing?.id}` : path;
    await openScreen(address, { [path]: Component }, foreignCampuses[locale]);
    await expect.element(page.getByRole('main').getByText(text).first()).toBeInTheDocument();
    await expectRequested(also);
    const main = [...document.querySelectorAll('main')].at(-1);
    const values = [...(main?.querySelectorAll('input') ?? [])].map(({ value }) => value);
    const shown = [main?.innerText ?? '', ...values].join('\n').replace(/[\u00a0\u202f]/g, ' ');
    expect(findForeignForms(locale, shown)).toEqual([]);
  },
);

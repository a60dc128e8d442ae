import type { Page } from '@playwright/test';
import { grantRole } from './console.ts';
import { reloadUntilReady } from './hydration.ts';
import { getAccount, listModerationScreens } from './moderation-screens.ts';
import type { QuadServer } from './quad-server.ts';
import {
  createDialogOpener,
  createDialogSwitcher,
  goOffline,
  type Screen,
  showLoadError,
  showSkeleton,
} from './screen.ts';
import { logInToDemo } from './sign-in.ts';
import { callApi } from './students.ts';
import { intercept } from './test.ts';

/** Logs in to a demo account and marks its session as confirmed with a second factor. */
const logInToConsole = async (quad: QuadServer, text: 'administrator' | 'moderator'): Promise<string> => {
  const session = await logInToDemo(quad, getAccount(quad, text));
  await grantRole(quad, JSON.parse(session).user, text);
  return session;
};

interface DemoItems {
  cases: { id: string; subject: string; has_appeal: boolean; state: string; signals: string[] }[];
  resolved: { id: string; title: string }[];
  forms: { id: string; kind: string; done_at: string | null }[];
  people: { id: string; email: string }[];
}

const readItems = async (quad: QuadServer, session: string): Promise<DemoItems> => {
  const { access_token: token } = JSON.parse(session);
  const list = async <Item>(path: string): Promise<Item[]> =>
    (await callApi<{ items: Item[] }>(quad, `/rest/v1/moderation/${path}`, { token })).items;
  return {
    cases: await list('cases'),
    resolved: await list('cases?state=resolved'),
    forms: await list('forms?state=all'),
    people: await list('people?q=kenji'),
  };
};

const getFirst = <Item>(items: readonly Item[], matches: (item: Item) => boolean): Item => {
  const found = items.find(matches);
  if (!found) throw new Error('The demo campus has nothing to show on a screen of the console');
  return found;
};

/** Assigns a case to the demo moderator, because the assignment in the demo data ends after 15 minutes. */
const assignCase = async (quad: QuadServer, session: string): Promise<void> => {
  const { cases } = await readItems(quad, session);
  const { id } = getFirst(cases, (it) => it.subject === 'user' && it.signals.length === 0);
  const { access_token: token } = JSON.parse(await logInToConsole(quad, 'moderator'));
  await callApi(quad, `/rest/v1/moderation/cases/${id}/assign`, { token, body: {} });
};

const showShortcuts = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /shortcuts/i }).click();
  await page.getByRole('dialog').waitFor();
};

/** Shows an announcement on this page only, without changing the server. */
const showAnnouncement = async (page: Page): Promise<void> => {
  const announcement = {
    text: 'Move-in week: the meeting spot at the library is open until midnight. Please bring your student card.',
    begins_at: '2026-03-02T10:00:00.000Z',
    ends_at: '2026-03-09T10:00:00.000Z',
  };
  await intercept(page, '**/rest/v1/moderation/announcement', (route) =>
    route.fulfill({ json: { announcement } }),
  );
  await page.reload();
  await page.getByRole('button', { name: 'Remove' }).waitFor();
};

const submitEmptyForm = (button: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name: button }).last().click();
  await page
    .getByText(/A reason has|Please enter/)
    .first()
    .waitFor();
};

/** Opens the dialog that approves the listing of a case, as if the listing was held for review. */
const openApproval = async (page: Page): Promise<void> => {
  await intercept(page, /\/rest\/v1\/moderation\/cases\/[^/?]+$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), dismissal_publishes: true } });
  });
  await reloadUntilReady(page);
  await createDialogOpener('Approve')(page);
};

/** Returns the screens of the console, as an administrator sees them, and screens related to it, by area. */
export const listConsoleScreens = async (quad: QuadServer) => {
  const session = await logInToConsole(quad, 'administrator');
  await assignCase(quad, session);
  const items = await readItems(quad, session);
  const signIn = (screens: readonly Screen[]): Screen[] =>
    screens.map((screen) => ({ ...screen, signedIn: true, session }));
  return {
    'overview and cases of the console': signIn(listCaseScreens(items)),
    'people in the console': signIn(listPeopleScreens(items)),
    'forms in the console': signIn(listFormScreens(items)),
    'campus settings in the console': signIn(campusScreens),
    'two-step log-in and decisions': await listModerationScreens(quad),
  };
};

const listCaseScreens = ({ cases, resolved }: DemoItems): Screen[] => {
  const toCase = (matches: (item: DemoItems['cases'][number]) => boolean) =>
    `/moderation/cases/${getFirst(cases, matches).id}`;
  return [
    { name: 'console', path: '/moderation' },
    { name: 'console-week', path: '/moderation?per=week' },
    { name: 'console-failed', path: '/moderation', prepare: showLoadError, screenshotOnly: true },
    {
      name: 'console-cases',
      path: '/moderation/cases',
      further: [{ name: 'console-shortcuts', prepare: showShortcuts }],
    },
    { name: 'console-cases-resolved', path: '/moderation/cases?state=resolved' },
    { name: 'console-cases-empty', path: '/moderation/cases?state=appeals&risk=1&age=168' },
    { name: 'console-cases-loading', path: '/moderation/cases', prepare: showSkeleton, screenshotOnly: true },
    { name: 'console-cases-failed', path: '/moderation/cases', prepare: showLoadError, screenshotOnly: true },
    {
      name: 'console-case-appeal',
      path: toCase((it) => it.has_appeal),
      further: [{ name: 'console-case-grant', prepare: createDialogOpener('Grant the appeal') }],
    },
    {
      name: 'console-case-message',
      path: toCase((it) => it.subject === 'message'),
      further: [
        { name: 'console-case-suspend', prepare: createDialogOpener('Suspend') },
        { name: 'console-case-errors', prepare: submitEmptyForm('Suspend') },
      ],
    },
    {
      name: 'console-case-approve',
      path: toCase((it) => it.subject === 'listing' && !it.has_appeal),
      prepare: openApproval,
    },
    { name: 'console-case-signal', path: toCase((it) => it.signals.length > 0) },
    { name: 'console-case-assigned', path: toCase((it) => it.state === 'assigned') },
    { name: 'console-case-resolved', path: `/moderation/cases/${getFirst(resolved, () => true).id}` },
    { name: 'console-case-missing', path: `/moderation/cases/${crypto.randomUUID()}` },
  ];
};

const listPeopleScreens = ({ people }: DemoItems): Screen[] => [
  {
    name: 'console-people',
    path: '/moderation/people',
    further: [{ name: 'console-people-create', prepare: createDialogOpener(/^Create/) }],
  },
  { name: 'console-people-empty', path: '/moderation/people?q=nobody-of-this-name' },
  {
    name: 'console-person',
    path: `/moderation/people/${getFirst(people, () => true).id}`,
    further: [
      { name: 'console-person-role', prepare: createDialogOpener('Change role') },
      { name: 'console-person-suspend', prepare: createDialogSwitcher('Suspend') },
      { name: 'console-person-delete', prepare: createDialogSwitcher(/^Delete/) },
      { name: 'console-person-reset', prepare: createDialogSwitcher('Send reset link') },
    ],
  },
  { name: 'console-person-missing', path: `/moderation/people/${crypto.randomUUID()}` },
];

const listFormScreens = ({ forms }: DemoItems): Screen[] => {
  const toForm = (matches: (form: DemoItems['forms'][number]) => boolean) =>
    `/moderation/forms/${getFirst(forms, matches).id}`;
  return [
    { name: 'console-forms', path: '/moderation/forms' },
    { name: 'console-forms-all', path: '/moderation/forms?state=all' },
    { name: 'console-forms-empty', path: '/moderation/forms?kind=report' },
    { name: 'console-forms-offline', path: '/moderation/forms', prepare: goOffline, ownContext: true },
    {
      name: 'console-form-contact',
      path: toForm((it) => it.kind === 'contact' && !it.done_at),
      further: [{ name: 'console-form-done', prepare: createDialogOpener('Mark as done') }],
    },
    { name: 'console-form-answered', path: toForm((it) => it.done_at !== null) },
    { name: 'console-form-application', path: toForm((it) => it.kind === 'application') },
    {
      name: 'console-form-deletion',
      path: toForm((it) => it.kind === 'deletion-request'),
      further: [{ name: 'console-form-delete', prepare: createDialogOpener('Delete this account') }],
    },
  ];
};

const campusScreens: readonly Screen[] = [
  {
    name: 'console-spots',
    path: '/moderation/spots',
    further: [{ name: 'console-spot-add', prepare: createDialogOpener('Add a spot') }],
  },
  { name: 'console-courses', path: '/moderation/courses' },
  {
    name: 'console-announcement',
    path: '/moderation/announcement',
    further: [{ name: 'console-announcement-errors', prepare: submitEmptyForm('Announce') }],
  },
  { name: 'console-announcement-current', path: '/moderation/announcement', prepare: showAnnouncement },
  {
    name: 'console-demo-data',
    path: '/moderation/demo-data',
    further: [{ name: 'console-demo-remove', prepare: createDialogOpener('Remove the demo data') }],
  },
];

import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import type { ConsoleRole } from '#contract/console.ts';
import { consoleCalls } from '#contract/console-calls.ts';
import { errorCatalog } from '#contract/errors.ts';
import type { CaseAction, ModerationAction, ModerationCase } from '#contract/moderation.ts';
import { ApiError, createUnavailableError } from '#web/lib/api-error.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { Toaster } from '#web/ui/toaster.tsx';

const requestMock = vi.hoisted(() => vi.fn());
vi.mock('#web/lib/api.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('#web/lib/api.ts')>()),
  request: requestMock,
}));
vi.mock('#web/lib/use-campus.ts', async () => {
  const { defaultCampus } = await import('#contract/campus.ts');
  return { useCampus: () => defaultCampus };
});

const { CaseScreen } = await import('./case-screen.tsx');

const createCase = (change: Partial<ModerationCase> = {}) =>
  ({
    id: 'case',
    subject: 'user',
    title: 'Sue',
    person: null,
    state: 'open',
    risk: 1,
    report_count: 0,
    reasons: [],
    signals: [],
    has_appeal: false,
    assigned_to: null,
    quotes: [],
    reports: [],
    signal_details: [],
    history: null,
    listing: null,
    actions: [] as ModerationAction[],
    needs_administrator: false,
    possible_actions: ['dismiss'],
    dismissal_publishes: false,
    ...change,
  }) as ModerationCase;

const ada = { id: 'ada', name: 'Ada' };
const decidedAt = '2026-03-02T18:00:00.000Z';
const ownAction = {
  id: 'action',
  is_own: true,
  days: null,
  chosen_at: decidedAt,
  applied_at: decidedAt,
} as ModerationAction;
const openAppeal = { text: 'It is genuine', created_at: decidedAt, decided_at: null, is_granted: null };
let item: ModerationCase;

beforeEach(() => {
  queryClient.clear();
  requestMock.mockReset().mockImplementation(async (call) => {
    if (call === consoleCalls.assignCase) item = { ...item, state: 'assigned', assigned_to: ada };
    return item;
  });
});

afterEach(() => {
  vi.useRealTimers();
});

const renderScreen = (role: ConsoleRole = 'moderator') =>
  render(
    <MemoryRouter>
      <CaseScreen ownId="ada" role={role} id="case" />
      <Toaster />
    </MemoryRouter>,
  );

const open = async (shown: ModerationCase, role?: ConsoleRole) => {
  item = shown;
  await renderScreen(role);
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
};
const assignButton = page.getByRole('button', { name: 'Assign to me' });

test.each<[string, Partial<ModerationCase>, string]>([
  ['resolved', { state: 'resolved' }, 'This case is resolved, and no decision can be reversed.'],
  [
    'resolved, about somebody with a role',
    {
      state: 'resolved',
      needs_administrator: true,
      actions: [{ ...ownAction, action: 'warn', restored_at: null }],
    },
    'This case is resolved. Only an administrator can reverse a decision in it.',
  ],
  [
    'reserved for somebody else',
    { state: 'assigned', assigned_to: { id: 'ben', name: 'Ben' } },
    'Ben is working on this case.',
  ],
  [
    'an appeal against the own decision',
    { has_appeal: true, actions: [{ ...ownAction, appeal: openAppeal }] },
    'The appeal is against your own decision, so another moderator has to decide it.',
  ],
  [
    'an appeal against the decision of an administrator',
    {
      has_appeal: true,
      needs_administrator: true,
      actions: [{ ...ownAction, is_own: false, appeal: openAppeal }],
    },
    'The appeal is against a decision of an administrator, so an administrator has to decide it.',
  ],
  [
    'resolved by dismissing a report of somebody with a role',
    {
      state: 'resolved',
      needs_administrator: true,
      actions: [{ ...ownAction, action: 'dismiss', restored_at: null }],
    },
    'This case is resolved, and no decision can be reversed.',
  ],
  [
    'reported by the moderator, about somebody with a role',
    { needs_administrator: true },
    'You reported this yourself, so another moderator has to decide it.',
  ],
  [
    'reported by the moderator, who decided it before',
    { actions: [ownAction] },
    'You reported this yourself, so another moderator has to decide it.',
  ],
])('says why a case can be neither decided nor reserved: %s', async (_why, change, sentence) => {
  await open(createCase({ ...change, possible_actions: [] }));
  await expect.element(page.getByText(sentence)).toBeVisible();
  await expect.element(page.getByText('you can only dismiss this case')).not.toBeInTheDocument();
  await expect.element(assignButton).not.toBeInTheDocument();
});

test('a case can be reserved once the reservation of somebody else has ended', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  await open(
    createCase({ state: 'assigned', assigned_to: { id: 'ben', name: 'Ben' }, possible_actions: [] }),
  );
  item = createCase();
  await vi.advanceTimersByTimeAsync(30_000);
  await expect.element(assignButton).toBeVisible();
});

test('a case that does not exist cannot be loaded again, unlike one that failed to load', async () => {
  const openMissing = async (error: ApiError) => {
    requestMock.mockRejectedValue(error);
    queryClient.clear();
    const { unmount } = await renderScreen();
    await expect.element(page.getByText(error.message)).toBeVisible();
    return unmount;
  };
  const retryButton = page.getByRole('button', { name: 'Try again' });
  const unmount = await openMissing(createUnavailableError());
  await expect.element(retryButton).toBeVisible();
  await unmount();
  const { status, sentence } = errorCatalog.case_not_found;
  await openMissing(new ApiError(status, { error: sentence, code: 'case_not_found' }));
  await expect.element(retryButton).not.toBeInTheDocument();
  await expect
    .element(page.getByRole('link', { name: 'Cases' }))
    .toHaveAttribute('href', '/moderation/cases');
});

test('Undo in the list of decisions closes the toast that offers Undo', async () => {
  const action = { id: 'action', action: 'dismiss', applied_at: null, undone_at: null } as ModerationAction;
  requestMock.mockImplementation(async (call) => {
    const chosen = {
      ...action,
      is_own: true,
      can_undo: true,
      days: null,
      reason: 'No',
      chosen_at: '2026-03-02T18:00:00.000Z',
    };
    if (call === consoleCalls.chooseAction) item = { ...item, actions: [chosen] };
    if (call === consoleCalls.undoAction)
      item = { ...item, actions: [{ ...chosen, can_undo: false, undone_at: chosen.chosen_at }] };
    return call === consoleCalls.getCase ? item : item.actions[0];
  });
  await open(createCase());
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByRole('textbox', { name: 'Reason' }).fill('Not enough');
  await page.getByRole('dialog').getByRole('button', { name: 'Dismiss' }).click();
  await expect.element(page.getByText('Takes effect in 10 seconds.')).toBeVisible();
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Takes effect in a few seconds' })
    .getByRole('button', { name: 'Undo' })
    .click();
  await expect.element(page.getByText('The action was withdrawn')).toBeVisible();
  // The toast would disappear by itself after ten seconds.
  await expect
    .element(page.getByText('Takes effect in 10 seconds.'), { timeout: 3000 })
    .not.toBeInTheDocument();
});

const told = 'Sent to the person concerned and kept in the audit log.';
const onlyKept = 'Seen only by moderators and kept in the audit log.';
test.each<[string, CaseAction, Partial<ModerationCase>, { name: string; text: string; hint: string }]>([
  [
    'publishes a held listing',
    'dismiss',
    { dismissal_publishes: true },
    {
      name: 'Approve',
      text: 'Approves the wording and makes the listing public. The owner is told, and any reporters learn that we found no violation.',
      hint: onlyKept,
    },
  ],
  [
    'changes nothing',
    'dismiss',
    {},
    {
      name: 'Dismiss',
      text: 'Changes nothing. The reporters learn that we found no violation.',
      hint: onlyKept,
    },
  ],
  [
    'lets the owner publish the listing again, also unchanged',
    'request_changes',
    {},
    {
      name: 'Request changes',
      text: 'Makes the listing a draft. The owner sees the reason and can publish it again at any time.',
      hint: told,
    },
  ],
  [
    'rejects an appeal',
    'dismiss',
    { has_appeal: true },
    { name: 'Reject the appeal', text: 'Rejects the appeal. Nothing else changes.', hint: told },
  ],
  [
    'rejects an appeal with a warning',
    'warn',
    { has_appeal: true },
    {
      name: 'Warn',
      text: 'Rejects the appeal. The person is told the reason. Nothing else changes.',
      hint: told,
    },
  ],
  [
    'grants an appeal',
    'restore',
    { has_appeal: true },
    {
      name: 'Grant the appeal',
      text: 'Takes back what was decided before. The person and the reporters are told.',
      hint: told,
    },
  ],
])('says that an action %s', async (_what, action, change, { name, text, hint }) => {
  await open(createCase({ ...change, possible_actions: [action] }));
  await page.getByRole('button', { name }).click();
  const dialog = page.getByRole('dialog', { name });
  await expect.element(dialog.getByText(text)).toBeVisible();
  await expect.element(dialog.getByText(hint)).toBeVisible();
  await expect.element(dialog.getByRole('button', { name })).toBeVisible();
});

test('shows each report below its quote, or below all quotes if the case has too many', async () => {
  const content = { subject: 'user', name: 'Sue', bio: null } as const;
  const report = { reporter: null, reason: 'scam', created_at: decidedAt } as const;
  await open(
    createCase({
      quotes: [{ id: 'shown', content, photo_count: 0, quoted_at: decidedAt }],
      reports: [
        { ...report, quote_id: 'shown', text: 'About Sue' },
        { ...report, quote_id: 'missing', text: 'About an earlier name' },
      ],
    }),
  );
  const quote = page.getByRole('article');
  await expect.element(quote.getByText('About Sue')).toBeVisible();
  await expect.element(quote.getByText('About an earlier name')).not.toBeInTheDocument();
  await expect.element(page.getByRole('heading', { name: 'Other reports' })).toBeVisible();
  await expect.element(page.getByText('About an earlier name')).toBeVisible();
});

test('shows a new appeal after an action was refused because the appeal had not been read', async () => {
  const warning = { ...ownAction, is_own: false, action: 'warn', restored_at: null } as ModerationAction;
  await open(
    createCase({
      actions: [warning],
      report_count: 2,
      signal_details: [{ kind: 'no_shows', detail: '', count: 3, raised_at: decidedAt }],
    }),
  );
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByRole('textbox', { name: 'Reason' }).fill('Not enough');
  item = createCase({ has_appeal: true, actions: [{ ...warning, appeal: openAppeal }] });
  const { status, sentence } = errorCatalog.appeal_unread;
  requestMock.mockRejectedValueOnce(new ApiError(status, { error: sentence, code: 'appeal_unread' }));
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Dismiss' }).click();
  await expect.element(dialog.getByText(sentence)).toBeVisible();
  expect(requestMock.mock.calls.find(([call]) => call === consoleCalls.chooseAction)?.[1]).toMatchObject({
    body: { open_appeals: 0, report_count: 2, signal_count: 3 },
  });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(page.getByText(openAppeal.text, { exact: false })).toBeVisible();
});

test('reserving a case removes its reserve button and keeps the focus on the page', async () => {
  await open(createCase());
  await assignButton.click();
  await expect.element(assignButton).not.toBeInTheDocument();
  await expect.element(page.getByText('Assigned to Ada')).toBeVisible();
  await expect.poll(() => document.activeElement).not.toBe(document.body);
});

test.each([
  ['an administrator', 'administrator', null, '/moderation/people/sue'],
  ['a moderator', 'moderator', null, '/users/sue'],
  ['a moderator of a suspended person', 'moderator', '2026-03-02T18:00:00.000Z', undefined],
] as const)(
  'links the reported person to the page that %s may open',
  async (_who, role, suspendedAt, path) => {
    const history = {
      joined_at: '2026-03-02T18:00:00.000Z',
      is_verified: true,
      suspended_at: suspendedAt,
      suspended_until: null,
      listings: 0,
      completed_deals: 0,
      earlier_cases: 0,
      earlier_actions: 0,
    };
    await open(createCase({ person: { id: 'sue', name: 'Sue' }, history }), role);
    const link = page.getByRole('link', { name: 'Sue' });
    if (path) await expect.element(link).toHaveAttribute('href', path);
    else await expect.element(link).not.toBeInTheDocument();
  },
);

test.each([
  ['published', 1],
  ['sold', 1],
  ['in_review', 0],
  ['draft', 0],
] as const)('links to a listing that is %s only if it has a public page', async (status, links) => {
  const listing = { slug: 'desk', status, is_hidden: false, photos: [] as string[] };
  await open(createCase({ subject: 'listing', listing: listing as ModerationCase['listing'] }));
  expect(page.getByRole('link', { name: 'The listing now' }).elements()).toHaveLength(links);
});

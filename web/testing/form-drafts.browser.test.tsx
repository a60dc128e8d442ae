import type { ReactNode } from 'react';
import { createRoutesStub } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import type { ModerationCase } from '#contract/moderation.ts';

const requestMock = vi.hoisted(() => vi.fn());
vi.mock('#web/lib/api.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('#web/lib/api.ts')>()),
  request: requestMock,
}));
vi.mock('#web/lib/use-campus.ts', async () => {
  const { defaultCampus } = await import('#contract/campus.ts');
  return { useCampus: () => defaultCampus, useCampusNames: () => [] };
});

const { SignUpForm } = await import('#web/accounts/sign-up-form.tsx');
const { AnnouncementScreen } = await import('#web/console/campus/announcement-screen.tsx');
const { MeetingSpotDialog } = await import('#web/console/campus/spot-dialog.tsx');
const { CaseActionDialog } = await import('#web/console/cases/action-dialog.tsx');
const { ReplyForm } = await import('#web/console/forms/reply-form.tsx');
const { CreatePersonButton } = await import('#web/console/people/create-person.tsx');
const { ReasonDialog } = await import('#web/console/reason-dialog.tsx');
const { AppealForm } = await import('#web/decisions/appeal-form.tsx');
const { SavedSearchDialog } = await import('#web/saved-searches/search-dialog.tsx');

interface DraftedForm {
  name: string;
  element: ReactNode;
  /** The button that opens the form. */
  opener?: string;
  /** The labels of the fields whose texts are saved, with a text for each. */
  texts: Record<string, string>;
  /** The same for other fields, which must be filled in before the form can be sent. */
  unsavedTexts?: Record<string, string>;
  submitLabel: string;
}

const onDone = vi.fn();
const sendAppeal = { texts: { 'Your appeal': 'I own the' }, submitLabel: 'Send Appeal' };
const spot = {
  id: '7b0e6a37-6f60-4d1a-9d57-0f4c0a1c3f11',
  name: 'Library',
  landmark: null,
  is_indoors: null,
  is_lit: null,
  has_camera_or_phone: null,
  opening_hours: null,
  confirmed_at: null,
};
const consoleProps = { ownId: 'ada', role: 'administrator', id: undefined } as const;
const search = { name: 'Desks', query: { q: 'desk' }, alert: 'off' as const };

const forms: DraftedForm[] = [
  {
    name: 'an appeal',
    element: <AppealForm about={{ action_id: 'decision' }} onSent={onDone} />,
    ...sendAppeal,
  },
  {
    name: 'an appeal with the link in an email',
    element: <AppealForm about={{ token: 'secret' }} onSent={onDone} />,
    ...sendAppeal,
  },
  {
    name: 'a new saved search',
    element: <SavedSearchDialog ownId="ada" search={search} onClose={onDone} />,
    texts: { Name: 'Desks for my' },
    submitLabel: 'Save search',
  },
  {
    name: 'an answer to a form',
    element: <ReplyForm formId="form" email="ben@usc.edu" onReplied={onDone} />,
    texts: { 'Answer to ben@usc.edu': 'Thank you for' },
    submitLabel: 'Send answer',
  },
  {
    name: 'the reason for an action on a case',
    element: (
      <CaseActionDialog
        item={
          {
            id: 'case',
            listing: null,
            actions: [],
            signal_details: [],
            has_appeal: false,
          } as unknown as ModerationCase
        }
        action="warn"
        refresh={async () => {}}
        onUndo={() => {}}
        onClose={onDone}
      />
    ),
    texts: { Reason: 'The photo shows' },
    submitLabel: 'Warn',
  },
  {
    name: 'the reason for an action of an administrator, without the text that confirms it',
    element: (
      <ReasonDialog
        title="Delete?"
        description="For good."
        confirmLabel="Delete"
        draftName="delete ben"
        typed={{ label: 'Type DELETE', text: 'DELETE' }}
        onConfirm={() => requestMock()}
        onClose={onDone}
      />
    ),
    texts: { Reason: 'Asked for it' },
    unsavedTexts: { 'Type DELETE': 'DELETE' },
    submitLabel: 'Delete',
  },
  {
    name: 'an announcement',
    element: <AnnouncementScreen {...consoleProps} />,
    texts: {
      Text: 'The library is',
      'From (your time zone)': '2026-03-02T10:00',
      'Until (your time zone)': '2026-03-03T10:00',
      Reason: 'The dean asked',
    },
    submitLabel: 'Announce',
  },
  {
    name: 'a new meeting spot',
    element: <MeetingSpotDialog spot={undefined} onSaved={onDone} onClose={onDone} />,
    texts: { Name: 'Library steps', 'How to find it': 'Facing the', Reason: 'Popular' },
    submitLabel: 'Add',
  },
  {
    name: 'a new account',
    element: <CreatePersonButton />,
    opener: 'Create account',
    texts: { 'Email address': 'cleo@usc.edu', Reason: 'New colleague' },
    submitLabel: 'Create account',
  },
];

beforeEach(() => {
  requestMock.mockReset().mockResolvedValue({ announcement: null });
});

const getField = (label: string) => page.getByLabelText(new RegExp(`^${label.replace(/[()]/g, '\\$&')}`));

/** Renders a form as after a reload. */
const openForm = async ({ element, opener }: Pick<DraftedForm, 'element' | 'opener'>) => {
  const Router = createRoutesStub([{ path: '*', Component: () => element }]);
  const screen = await render(<Router />);
  if (opener) await page.getByRole('button', { name: opener }).click();
  return screen;
};

test.each(forms)('promise 59: keeps the typed text of $name until it is sent', async (form) => {
  const { texts, unsavedTexts = {}, submitLabel } = form;
  let screen = await openForm(form);
  for (const [label, text] of Object.entries({ ...texts, ...unsavedTexts })) await getField(label).fill(text);
  await screen.unmount();

  screen = await openForm(form);
  for (const [label, text] of Object.entries(texts)) await expect.element(getField(label)).toHaveValue(text);
  for (const [label, text] of Object.entries(unsavedTexts)) {
    await expect.element(getField(label)).toHaveValue('');
    await getField(label).fill(text);
  }
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain('secret');
  const callsBefore = requestMock.mock.calls.length;
  await page.getByRole('button', { name: submitLabel }).last().click();
  await expect.poll(() => requestMock.mock.calls.length).toBe(callsBefore + 1);
  await screen.unmount();

  await openForm(form);
  for (const label of Object.keys(texts)) await expect.element(getField(label)).not.toHaveValue(texts[label]);
});

test('does not show the text of an appeal in the form of another link', async () => {
  const screen = await openForm({ element: <AppealForm about={{ token: 'secret' }} onSent={onDone} /> });
  await getField('Your appeal').fill('I own the');
  await screen.unmount();

  await openForm({ element: <AppealForm about={{ token: 'another' }} onSent={onDone} /> });
  await expect.element(getField('Your appeal')).toHaveValue('');
});

test.each([
  {
    name: 'a saved search',
    element: <SavedSearchDialog ownId="ada" search={{ ...search, id: 'search' } as never} onClose={onDone} />,
  },
  {
    name: 'a meeting spot',
    element: <MeetingSpotDialog spot={spot} onSaved={onDone} onClose={onDone} />,
  },
])('says that unsaved changes of $name are back, and discards them on Cancel', async ({ element }) => {
  const notice = page.getByText('Your unsaved changes are back');
  let screen = await openForm({ element });
  await expect.element(notice).not.toBeInTheDocument();
  await getField('Name').fill('Another name');
  await screen.unmount();

  screen = await openForm({ element });
  await expect.element(notice).toBeVisible();
  await expect.element(getField('Name')).toHaveValue('Another name');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await screen.unmount();

  await openForm({ element });
  await expect.element(notice).not.toBeInTheDocument();
  await expect.element(getField('Name')).not.toHaveValue('Another name');
});

test('keeps the whole sign-up form, without passwords, if it is changed after the code step', async () => {
  const details = {
    fullName: 'Ada Student',
    email: 'ada@usc.edu',
    password: 'secret',
    confirmPassword: 'secret',
  };
  const callbacks = { onSubmit: onDone, onCodeSent: onDone, onAccountExists: onDone };
  let screen = await openForm({ element: <SignUpForm details={details as never} {...callbacks} /> });
  await getField('Email').fill('ada.student@usc.edu');
  await screen.unmount();

  screen = await openForm({ element: <SignUpForm {...callbacks} /> });
  await expect.element(getField('Email')).toHaveValue('ada.student@usc.edu');
  await expect.element(getField('Full name')).toHaveValue('Ada Student');
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain('secret');
});

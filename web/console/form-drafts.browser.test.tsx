import { beforeEach, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { ModerationCase } from '#contract/moderation.ts';
import {
  type DraftedForm,
  expectChangesDiscardedOnCancel,
  expectTextKeptUntilSent,
} from '#web/testing/drafted-form.tsx';

const requestMock = vi.hoisted(() => vi.fn());
vi.mock('#web/lib/api.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('#web/lib/api.ts')>()),
  request: requestMock,
}));
vi.mock('#web/lib/use-campus.ts', async () => {
  const { defaultCampus } = await import('#contract/campus.ts');
  return { useCampus: () => defaultCampus, useCampusNames: () => [] };
});

const { AnnouncementScreen } = await import('#web/console/campus/announcement-screen.tsx');
const { MeetingSpotDialog } = await import('#web/console/campus/spot-dialog.tsx');
const { CaseActionDialog } = await import('#web/console/cases/action-dialog.tsx');
const { ReplyForm } = await import('#web/console/forms/reply-form.tsx');
const { CreatePersonButton } = await import('#web/console/people/create-person.tsx');
const { ReasonDialog } = await import('#web/console/reason-dialog.tsx');

const onDone = vi.fn();
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

const forms: DraftedForm[] = [
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
    opener: page.getByRole('button', { name: 'Create account' }),
    texts: { 'Email address': 'cleo@usc.edu', Reason: 'New colleague' },
    submitLabel: 'Create account',
  },
];

beforeEach(() => {
  requestMock.mockReset().mockResolvedValue({ announcement: null });
});

test.each(forms)('promise 59: keeps the typed text of $name until it is sent', (form) =>
  expectTextKeptUntilSent(form, () => requestMock.mock.calls.length),
);

test('says that unsaved changes of a meeting spot are back, and discards them on Cancel', () =>
  expectChangesDiscardedOnCancel(
    <MeetingSpotDialog spot={spot} onSaved={onDone} onClose={onDone} />,
    'Name',
  ));

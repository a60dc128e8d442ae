import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { defaultCampus } from '#contract/campus.ts';
import { createDeal } from '#contract/testing.ts';
import {
  type DraftedForm,
  expectChangesDiscardedOnCancel,
  expectTextKeptUntilSent,
  getField,
  openForm,
} from './drafted-form.tsx';
import { getRecorded } from './recorded.ts';

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
const { AppealForm } = await import('#web/decisions/appeal-form.tsx');
const { CancelDealDialog } = await import('#web/deals/cancel-dialog.tsx');
const { CounterOfferDialog } = await import('#web/deals/counter-dialog.tsx');
const { SuggestHandoverDialog } = await import('#web/deals/handover-dialog.tsx');
const { ContactForm } = await import('#web/forms/contact-form.tsx');
const { ProfileEditForm } = await import('#web/profiles/edit-form.tsx');
const { ListingReportDialog } = await import('#web/reports/listing-report-dialog.tsx');
const { SavedSearchDialog } = await import('#web/saved-searches/search-dialog.tsx');

const onDone = vi.fn();
const sendAppeal = { texts: { 'Your appeal': 'I own the' }, submitLabel: 'Send Appeal' };
const dealProps = { deal: createDeal({ state: 'held' }), ownId: 'ada', otherName: 'Ben', onClose: onDone };
const profile = getRecorded('getMe');
const search = { id: 'search', name: 'Desks', query: { q: 'desk' }, alert: 'off' };

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
    name: 'a report about a listing',
    element: <ListingReportDialog listingId={profile.id} onClose={onDone} />,
    opener: page.getByRole('radio').first(),
    texts: { Details: 'It says forty dollars, but' },
    submitLabel: 'Submit Report',
  },
  {
    name: 'a counter-offer',
    element: <CounterOfferDialog {...dealProps} />,
    texts: { 'Your price': '7.5' },
    submitLabel: 'Send counter-offer',
  },
  {
    name: 'a suggestion to meet',
    element: <SuggestHandoverDialog {...dealProps} />,
    texts: { Place: 'Under the old oak' },
    submitLabel: 'Suggest Tomorrow 12 PM, Under the old oak',
  },
  {
    name: 'the reason for canceling a deal',
    element: <CancelDealDialog {...dealProps} />,
    texts: { Reason: 'I found another' },
    submitLabel: 'Cancel the deal',
  },
  {
    name: 'the contact form',
    element: <ContactForm campus={defaultCampus} />,
    texts: {
      Name: 'Ben',
      'University email': 'ben@usc.edu',
      Message: 'How do I change my address on this site?',
    },
    choices: { Topic: 'Other' },
    submitLabel: 'Send Message',
  },
  {
    name: 'the profile',
    element: <ProfileEditForm profile={profile} backTo="/profile" onDone={onDone} />,
    texts: { Bio: 'Lamps and' },
    choices: { Role: 'Alumni' },
    submitLabel: 'Save Changes',
  },
];

beforeEach(() => {
  requestMock.mockReset().mockResolvedValue({ ...createDeal(), ...profile, items: [] });
});

test.each(forms)('promise 59: keeps the typed text of $name until it is sent', (form) =>
  expectTextKeptUntilSent(form, () => requestMock.mock.calls.length),
);

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
    element: <SavedSearchDialog ownId="ada" search={search as never} onClose={onDone} />,
    field: 'Name',
  },
  {
    name: 'the profile',
    element: <ProfileEditForm profile={profile} backTo="/profile" onDone={onDone} />,
    field: 'Full name',
  },
])('says that unsaved changes of $name are back, and discards them on Cancel', ({ element, field }) =>
  expectChangesDiscardedOnCancel(element, field),
);

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

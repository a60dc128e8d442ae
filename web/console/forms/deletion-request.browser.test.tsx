import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import type { ConsoleFormDetail } from '#contract/console-forms.ts';
import { DeletionRequestPanel } from './deletion-request.tsx';

const account = { id: '00000000-0000-4000-8000-000000000001', email: 'ada@home.example' };

const openPanel = (more: Partial<ConsoleFormDetail>) => {
  const form: ConsoleFormDetail = {
    id: '00000000-0000-4000-8000-000000000002',
    kind: 'deletion-request',
    title: '',
    email: 'ada@usc.edu',
    created_at: '2026-03-02T18:00:00.000Z',
    done_at: null,
    fields: [],
    resume: null,
    sender: null,
    named_account: null,
    answers: [],
    ...more,
  };
  return render(
    <MemoryRouter>
      <DeletionRequestPanel form={form} onDeleted={() => {}} />
    </MemoryRouter>,
  );
};
const deleteButton = page.getByRole('button', { name: 'Delete this account' });

test('offers to delete the sender’s account if the entered address has no account', async () => {
  await openPanel({ sender: account });
  await expect.element(page.getByRole('link', { name: account.email })).toBeVisible();
  await expect
    .element(
      page.getByText(
        'There is no account with the address ada@usc.edu. The sender was logged in to this account.',
      ),
    )
    .toBeVisible();
  await deleteButton.click();
  await expect.element(page.getByRole('dialog', { name: `Delete ${account.email}?` })).toBeVisible();
});

test('tells the moderator to write to the log-in address if a visitor entered the campus address', async () => {
  await openPanel({ named_account: account });
  await expect.element(page.getByText('Ask the owner first')).toBeVisible();
  await expect
    .element(
      page.getByText(/any address\. The campus address .* Write to ada@home\.example and wait for a reply/),
    )
    .toBeVisible();
});

test('has nothing to delete if neither the address nor the sender has an account', async () => {
  await openPanel({});
  await expect
    .element(page.getByText('There is no account with this address. Mark the request as done.'))
    .toBeVisible();
  await expect.element(deleteButton).not.toBeInTheDocument();
});

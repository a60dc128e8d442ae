import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { ApiError } from '#web/lib/api-error.ts';

vi.mock('#web/accounts/public.ts', () => ({
  ReauthenticationForm: ({ onProved }: { onProved: () => void }) => (
    <button type="button" onClick={onProved}>
      It is me
    </button>
  ),
}));

const { ReasonDialog } = await import('./reason-dialog.tsx');

test('asks a person who logged in a while ago to prove who they are, then acts with the typed reason', async () => {
  const onClose = vi.fn();
  const onConfirm = vi
    .fn()
    .mockRejectedValueOnce(
      new ApiError(400, { error: 'Please confirm that it is you.', code: 'reauthentication_needed' }),
    );
  await render(
    <ReasonDialog
      title="Delete ann@usc.edu?"
      description="Removes everything."
      confirmLabel="Delete account"
      draftName="delete account ann"
      typed={{ label: 'Type the email address', text: 'ann@usc.edu' }}
      onConfirm={onConfirm}
      onClose={onClose}
    />,
  );
  await page.getByRole('textbox', { name: 'Reason' }).fill('Asked for it');
  await page.getByRole('textbox', { name: 'Type the email address' }).fill('ann@usc.edu');
  await page.getByRole('button', { name: 'Delete account' }).click();
  await page.getByRole('button', { name: 'It is me' }).click();
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
  expect(onConfirm.mock.calls).toEqual([['Asked for it'], ['Asked for it']]);
});

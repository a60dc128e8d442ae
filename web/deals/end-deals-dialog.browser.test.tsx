import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import type { Deal } from '#contract/deals.ts';
import { createDeal } from '#contract/testing.ts';
import { queryClient } from '#web/lib/query-client.ts';

const requestMock = vi.hoisted(() => vi.fn());
vi.mock('#web/lib/api.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('#web/lib/api.ts')>()),
  request: requestMock,
}));
vi.mock('#web/lib/use-campus.ts', async () => {
  const { defaultCampus } = await import('#contract/campus.ts');
  return { useCampus: () => defaultCampus };
});

const { EndDealsDialog } = await import('./end-deals-dialog.tsx');

const open = (action: 'draft' | 'delete', deal: Deal) => {
  requestMock.mockResolvedValue({ items: [deal] });
  return render(
    <EndDealsDialog
      action={action}
      listing={{ id: 'lamp', title: 'Lamp' }}
      ownId="ada"
      onConfirm={vi.fn()}
      onClose={vi.fn()}
    />,
  );
};

beforeEach(() => queryClient.clear());

test.each([
  ['draft', 'You can’t make this a draft yet'],
  ['delete', 'You can’t delete this yet'],
] as const)('says that %s is not possible yet, without a question', async (action, title) => {
  await open(action, createDeal({ state: 'handed_over' }));
  await expect.element(page.getByRole('dialog', { name: title })).toBeVisible();
  await expect
    .element(page.getByText(/Otherwise it counts as done on Tue, Nov 24, 9:00 AM\.$/))
    .toBeVisible();
  expect(page.getByRole('button', { name: 'Close' }).elements()).toHaveLength(2);
});

test('asks before deleting a listing with an offer', async () => {
  await open('delete', createDeal());
  await expect.element(page.getByText('If you delete it, the offer is closed.')).toBeVisible();
  await expect.element(page.getByRole('dialog', { name: 'Delete this listing?' })).toBeVisible();
});

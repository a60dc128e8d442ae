import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import type { Deal } from '#contract/deals.ts';
import { createDeal } from '#contract/testing.ts';
import { createTestApi } from '#web/testing/api.ts';
import { createConversation, otherName, ownId } from '#web/testing/conversations.ts';
import { openScreen } from '#web/testing/screen.tsx';
import { signIn } from '#web/testing/session.ts';
import { RentalPhotosButton } from './rental-photos-button.tsx';

vi.mock('#web/lib/use-protected-image.ts', () => ({ useProtectedImage: () => undefined }));

const api = createTestApi();
const conversation = createConversation(1);
beforeEach(signIn);

const openPhotos = async (state: Deal['state']): Promise<void> => {
  const deal = createDeal({
    ...{ buyer_id: ownId, conversation_id: conversation.id, kind: 'rental', state, turn: null },
    ...{ first_day: '2026-10-01', last_day: '2026-10-03', has_photos: true },
  });
  const photo = {
    width: 40,
    height: 30,
    thumbhash: '',
    step: 'pick_up',
    created_at: deal.created_at,
  } as const;
  api.answer(calls.listRentalPhotos, {
    items: (['buyer', 'seller'] as const).map((by, index) => ({
      ...photo,
      by,
      id: `7d1c8f0e-8b0f-4f0e-9a54-0c8a52f4b1a${index}`,
      message_id: `8e1c8f0e-8b0f-4f0e-9a54-0c8a52f4b1a${index}`,
    })),
  });
  await openScreen('/', {
    '/': () => (
      <RentalPhotosButton deal={deal} conversation={conversation} ownId={ownId} otherName={otherName} />
    ),
  });
  await page.getByRole('button', { name: 'Condition photos' }).click();
};

test.each([
  ['cancelled', 1],
  ['lapsed', 0],
  ['no_show', 0],
  ['completed', 0],
] as const)('own photos at pick-up of a rental that is %s: %d can be removed', async (state, count) => {
  await openPhotos(state);
  const dialog = page.getByRole('dialog', { name: 'Condition photos' });
  await expect.element(dialog.getByRole('button', { name: /^At pick-up, photo 2/ })).toBeVisible();
  expect(dialog.getByRole('button', { name: 'Remove photos' }).elements()).toHaveLength(count);
  expect(dialog.getByLabelText('Choose photos').elements()).toHaveLength(0);
});

import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { calls } from '#contract/calls.ts';
import type { AvailabilityQuestion } from '#contract/notifications.ts';
import { Toaster } from '#web/ui/toaster.tsx';

const requestMock = vi.hoisted(() => vi.fn());
vi.mock('#web/lib/api.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('#web/lib/api.ts')>()),
  request: requestMock,
}));

const { ApiError } = await import('#web/lib/api.ts');
const { AvailabilityQuestions } = await import('./availability-questions.tsx');

const ask = (title: string, state: AvailabilityQuestion['state']): AvailabilityQuestion => ({
  listing_id: title,
  title,
  cover: null,
  state,
});
const onAnswer = vi.fn();

beforeEach(async () => {
  onAnswer.mockReset();
  requestMock.mockReset().mockResolvedValue({ id: 'Lamp', status: 'published', category: 'furniture' });
  await page.viewport(360, 640);
  await render(
    <>
      <AvailabilityQuestions
        ownId="ada"
        questions={[ask('Lamp', 'asked'), ask('Desk', 'paused'), ask('Chair', 'answered')]}
        onAnswer={onAnswer}
      />
      <Toaster />
    </>,
  );
});

test('only an open question has answers, and a paused listing can be made active', async () => {
  expect(
    page
      .getByRole('button')
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual(['Yes Lamp', 'Sold Lamp', 'Hide Lamp', 'Make Active Desk']);
  for (const button of page.getByRole('button').elements())
    expect(button.getBoundingClientRect().height).toBeGreaterThanOrEqual(44);
  await page.getByRole('button', { name: 'Make Active Desk' }).click();
  await expect.element(page.getByText('Confirmed as available')).toBeVisible();
  expect(requestMock).toHaveBeenCalledExactlyOnceWith(calls.answerAvailability, {
    params: { id: 'Desk' },
    body: { answer: 'yes' },
  });
  expect(onAnswer).toHaveBeenCalledOnce();
});

test('an answer that another device gave before is refused with its reason', async () => {
  requestMock.mockRejectedValue(new ApiError(409, { code: 'question_answered', error: 'Already answered.' }));
  await page.getByRole('button', { name: 'Sold Lamp' }).click();
  await expect.element(page.getByText('Already answered.')).toBeVisible();
  expect(onAnswer).toHaveBeenCalledOnce();
});

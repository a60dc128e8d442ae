import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';

const requestMock = vi.hoisted(() => vi.fn());
vi.mock('#web/lib/api.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('#web/lib/api.ts')>()),
  request: requestMock,
}));

const { ReplyForm } = await import('./reply-form.tsx');

beforeEach(() => {
  localStorage.clear();
  requestMock.mockReset();
});

const send = async (text: string) => {
  const calls = requestMock.mock.calls.length;
  await page.getByRole('textbox', { name: 'Answer to ann@usc.edu' }).fill(text);
  await page.getByRole('button', { name: 'Send answer' }).click();
  await expect.poll(() => requestMock.mock.calls.length).toBe(calls + 1);
  await expect.element(page.getByRole('button', { name: 'Send answer' })).toBeEnabled();
  return requestMock.mock.lastCall?.[1].body;
};

test('a failed answer is sent again under the same id, and a corrected one under another id', async () => {
  await render(<ReplyForm formId="form" email="ann@usc.edu" onReplied={() => {}} />);
  requestMock.mockRejectedValue(new Error('The connection was lost.'));
  const first = await send('We met on Monday');
  expect(await send('We met on Monday')).toEqual(first);
  requestMock.mockResolvedValue({});
  const corrected = await send('We meet on Monday');
  expect(corrected.text).toBe('We meet on Monday');
  expect(corrected.id).not.toBe(first.id);
  expect((await send('We meet on Monday')).id).not.toBe(corrected.id);
});

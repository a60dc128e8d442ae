import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { calls } from '#contract/calls.ts';
import type { Message } from '#contract/conversations.ts';

const createMessage = (seq: number) =>
  ({
    id: `00000000-0000-4000-8000-00000000000${seq}`,
    conversation_id: 'conversation',
    seq,
    sender_id: 'ben',
    kind: 'text',
    message_text: `Message ${seq}`,
    created_at: '2026-03-02T18:00:00.000Z',
  }) as Message;

const requestMock = vi.hoisted(() => vi.fn());
vi.mock('#web/lib/api.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('#web/lib/api.ts')>()),
  request: requestMock,
}));
vi.mock('#web/lib/use-campus.ts', async () => {
  const { defaultCampus } = await import('#contract/campus.ts');
  return { useCampus: () => defaultCampus };
});
vi.mock('./conversation-cache.ts', () => ({ getCachedThread: () => ({ stored: [createMessage(7)] }) }));

const { MessageReportDialog } = await import('./message-report-dialog.tsx');

test('a report of a message names the last message that was shown with it', async () => {
  localStorage.clear();
  requestMock.mockImplementation(async (call) =>
    call === calls.listMessages ? { items: [6, 7, 8].map(createMessage) } : { user_ids: [] },
  );
  const person = { id: 'ben', name: 'Ben' };
  await render(
    <MessageReportDialog conversationId="conversation" person={person} ownId="ann" onClose={() => {}} />,
  );
  await page.getByRole('button', { name: /^Message 7/ }).click();
  await expect.element(page.getByText('Message 8')).toBeVisible();
  await page.getByRole('radio').first().click();
  await page.getByRole('button', { name: 'Submit Report' }).click();
  await expect.element(page.getByText('Report Submitted')).toBeVisible();
  expect(requestMock).toHaveBeenCalledWith(calls.report, {
    body: expect.objectContaining({ subject: 'message', subject_id: createMessage(7).id, until_seq: 8 }),
  });
});

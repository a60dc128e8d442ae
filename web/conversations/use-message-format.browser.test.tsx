import { expect, test, vi } from 'vitest';
import { renderHook } from 'vitest-browser-react';
import { createConversation } from './testing.ts';

vi.mock('#web/lib/use-campus.ts', async () => {
  const { defaultCampus } = await import('#contract/campus.ts');
  return { useCampus: () => defaultCampus };
});

const { useMessageFormatter } = await import('./use-message-format.ts');

test('the buyer reads that they can confirm a sale as long as they are asked', async () => {
  const conversation = createConversation('lamp');
  const { result, rerender } = await renderHook((isAsked?: boolean) =>
    useMessageFormatter(
      { ...conversation, listing: { ...conversation.listing, is_sale_asked: isAsked ?? true } },
      'me',
    ),
  );
  const format = () =>
    result.current({ message_text: '', data: { sale_outcome: 'sold', listing_changes: [] } });
  expect(format()).toMatch(/ marked this as sold to you\. You can confirm it within 14 days\.$/);
  await rerender(false);
  expect(format()).toMatch(/ marked this as sold to you\.$/);
});

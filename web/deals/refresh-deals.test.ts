import { QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { queryClient } from '#web/lib/query-client.ts';
import { ownListingsQueryKey } from '#web/lib/query-keys.ts';
import { refreshDeals } from './refresh-deals.ts';

const ownId = 'me';

test('a first response that may predate an event is shown, then replaced by a newer response', async () => {
  const answers: PromiseWithResolvers<number>[] = [];
  const observer = new QueryObserver(queryClient, {
    queryKey: [...ownListingsQueryKey(ownId), { limit: 100 }],
    // Reads `signal`, as the real requests do, because TanStack Query cancels only queries that have read it.
    queryFn: ({ signal }) => {
      const answer = Promise.withResolvers<number>();
      signal.addEventListener('abort', () => answer.reject(signal.reason));
      answers.push(answer);
      return answer.promise;
    },
  });
  const unsubscribe = observer.subscribe(() => {});
  expect(answers).toHaveLength(1);

  const refreshed = refreshDeals(ownId);
  answers[0]?.resolve(0);
  await expect.poll(() => observer.getCurrentResult().data).toBe(0);
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.resolve(1);
  await refreshed;
  expect(observer.getCurrentResult().data).toBe(1);
  unsubscribe();
});

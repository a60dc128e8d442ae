import { useMutation, useQuery } from '@tanstack/react-query';
import { calls } from '#contract/calls.ts';
import { request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { Alert } from '#web/ui/alert.tsx';
import { OnlineOnlyButton } from '#web/ui/online-only-button.tsx';
import { toast } from '#web/ui/toast.ts';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';
import { describePeople } from './describe-people.ts';

/** Offers the seller of a listing to tell the people who look for it. Shows nothing if there are none. */
export function TellPeople({ listingId }: { listingId: string }) {
  const focusFallback = useFocusFallback<HTMLDivElement>();
  const queryKey = ['people-to-tell', listingId];
  const { data } = useQuery(
    {
      queryKey,
      queryFn: ({ signal }) => request(calls.countPeopleToTell, { params: { id: listingId }, signal }),
      retry: false,
    },
    queryClient,
  );
  const tell = useMutation(
    {
      mutationFn: () => request(calls.tellPeople, { params: { id: listingId } }),
      onSuccess: () => queryClient.setQueryData(queryKey, { people: 0 }),
      onError: (error) => toast.error('They could not be told', error.message),
    },
    queryClient,
  );
  if (!tell.isSuccess && !data?.people) return null;
  return (
    <div {...focusFallback} className="outline-none">
      {tell.isSuccess ? (
        <Alert
          tone="success"
          title={tell.data.people === 1 ? 'We told them' : `We told ${tell.data.people} people`}
        />
      ) : (
        <Alert
          tone="notice"
          title={describePeople(data?.people ?? 0)}
          action={
            <OnlineOnlyButton
              variant="accent"
              size="sm"
              loading={tell.isPending}
              onClick={() => tell.mutate()}
            >
              Tell them
            </OnlineOnlyButton>
          }
        />
      )}
    </div>
  );
}

import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { calls } from '#contract/calls.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { links } from '#web/lib/links.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { ownListingsQueryKey } from '#web/lib/query-keys.ts';
import { toast } from '#web/ui/toast.ts';

export interface UsePostAgainResult {
  /** Copies a listing of the person to a draft and opens it in the form. */
  postAgain: (listingId: string) => void;
  /** The id of the listing that is being copied. */
  copyingId: string | undefined;
}

export const usePostAgain = (ownId: string): UsePostAgainResult => {
  const navigate = useNavigate();
  const { mutate, isPending, variables } = useMutation(
    {
      mutationFn: (id: string) => request(calls.copyListing, { params: { id } }),
      onSuccess: async ({ id }) => {
        void queryClient.invalidateQueries({ queryKey: ownListingsQueryKey(ownId) });
        await navigate(links.editListing(id));
      },
      onError: (error) =>
        toast.error('Failed to post again', error instanceof ApiError ? error.message : undefined),
    },
    queryClient,
  );
  return {
    postAgain: (id) => {
      if (!isPending) mutate(id);
    },
    copyingId: isPending ? variables : undefined,
  };
};

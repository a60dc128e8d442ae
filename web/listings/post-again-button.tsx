import { CopyPlus } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { usePostAgain } from './use-post-again.ts';

/** Copies the person's own listing to a draft and opens it in the form. */
export function PostAgainButton({ listing }: { listing: { id: string; user_id: string } }) {
  const { postAgain, copyingId } = usePostAgain(listing.user_id);
  return (
    <Button
      size="sm"
      icon={<CopyPlus aria-hidden="true" className="size-4" />}
      loading={copyingId !== undefined}
      onClick={() => postAgain(listing.id)}
    >
      Post Again
    </Button>
  );
}

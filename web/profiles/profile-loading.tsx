import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** What stands in for a profile that is on its way, or could not be read. */
export function ProfileLoading({ failed, reload }: { failed: boolean; reload: () => void }) {
  if (failed) {
    return (
      <Alert
        tone="error"
        action={
          <Button variant="secondary" size="sm" onClick={reload}>
            Try again
          </Button>
        }
      >
        Failed to load profile
      </Alert>
    );
  }
  return (
    <Card padded className="flex flex-col items-center gap-5 md:flex-row md:items-start">
      <span className="sr-only" role="status">
        Loading profile
      </span>
      <Skeleton className="size-28 rounded-full" />
      <div className="w-full flex-1 space-y-3">
        <Skeleton className="h-8 w-1/2" />
        <Skeleton className="h-5 w-1/3" />
        <Skeleton className="h-5 w-2/3" />
      </div>
    </Card>
  );
}

import { Card } from '#web/ui/card.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** Shown until a profile is loaded: a placeholder or, if loading failed, an error with a retry button. */
export function ProfileLoading({ failed, reload }: { failed: boolean; reload: () => void }) {
  if (failed) return <LoadFailed onRetry={reload}>Failed to load profile</LoadFailed>;
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

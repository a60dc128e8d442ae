import { Card } from '#web/ui/card.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** Shown until a profile is loaded: a placeholder or, if loading failed, an error with a retry button. */
export function ProfileLoading({ failed, reload }: { failed: boolean; reload: () => void }) {
  if (failed) return <LoadFailed onRetry={reload}>Failed to load profile</LoadFailed>;
  return (
    <Card className="flex gap-4 p-4 md:gap-6 md:p-6">
      <span className="sr-only" role="status">
        Loading profile
      </span>
      <Skeleton className="size-16 shrink-0 rounded-full md:size-20" />
      <div className="min-w-0 flex-1 space-y-3">
        <Skeleton className="h-7 w-1/2" />
        <Skeleton className="h-5 w-1/3" />
        <Skeleton className="h-5 w-2/3" />
      </div>
    </Card>
  );
}

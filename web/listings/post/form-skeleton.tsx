import { Card } from '#web/ui/card.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** A placeholder in the shape of the listing form, shown while the listing is loading. */
export function ListingFormSkeleton() {
  return (
    <Card padded className="space-y-6">
      <span role="status" className="sr-only">
        Loading listing
      </span>
      <Skeleton className="h-40 w-full" />
      <Skeleton className="h-11 w-full" />
      <div className="grid gap-5 sm:grid-cols-2">
        <Skeleton className="h-11" />
        <Skeleton className="h-11" />
      </div>
      <Skeleton className="h-36 w-full" />
    </Card>
  );
}

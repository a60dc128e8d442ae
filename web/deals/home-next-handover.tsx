import { useSession } from '#web/lib/use-session.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';

const NextHandover = lazyComponent(async () => (await import('./next-handover.tsx')).NextHandover, {
  failed: () => null,
});

/**
 * The signed-in person's next handover on the banner of Home. It covers the banner instead of moving it, because the
 * page is the same for everybody until the session is known.
 */
export function HomeNextHandover() {
  const { user } = useSession();
  return (
    user && (
      <NextHandover
        key={user.id}
        ownId={user.id}
        className="absolute inset-x-(--page-gutter) top-3 overflow-hidden rounded-lg bg-surface text-ink shadow-md md:top-auto md:right-(--page-gutter) md:bottom-6 md:left-auto md:w-80 lg:w-96 returning:inset-0 returning:w-auto returning:rounded-none xl:returning:top-1/2 xl:returning:right-(--page-gutter) xl:returning:bottom-auto xl:returning:left-auto xl:returning:w-96 xl:returning:-translate-y-1/2 xl:returning:rounded-lg"
      />
    )
  );
}

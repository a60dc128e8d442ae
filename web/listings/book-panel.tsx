import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { useHasComeNear } from '#web/ui/use-has-come-near.ts';

const BookFacts = lazyComponent(async () => (await import('./book-facts.tsx')).BookFacts, {
  failed: () => null,
});

/** Other copies of the book of a listing, and its courses. They are loaded when their place comes near. */
export function BookPanel({ slug }: { slug: string }) {
  const [ref, hasComeNear] = useHasComeNear();
  return <div ref={ref}>{hasComeNear && <BookFacts slug={slug} />}</div>;
}

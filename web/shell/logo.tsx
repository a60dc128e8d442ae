/**
 * The logo shows a campus quad from above: four buildings around a lawn, and a path that turns the square
 * into the letter Q.
 */
export function Logo({ className }: { className?: string | undefined }) {
  return (
    <svg aria-hidden="true" focusable="false" viewBox="0 0 32 32" className={className}>
      <rect width="32" height="32" rx="7" className="fill-brand" />
      <rect x="8" y="8" width="16" height="16" rx="2.5" className="fill-scene-lawn" />
      <path d="m16.5 16.5 11 11" strokeWidth="4.5" strokeLinecap="round" className="stroke-gold" />
      <circle cx="16.5" cy="16.5" r="3.2" className="fill-gold" />
    </svg>
  );
}

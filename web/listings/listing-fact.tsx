import type { ReactNode } from 'react';

/** A line about a listing, with an icon. */
export function ListingFact({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex items-start gap-2 [&_svg]:mt-1 [&_svg]:size-4.5 [&_svg]:shrink-0">
      {icon}
      <span className="min-w-0 break-words">{children}</span>
    </li>
  );
}

import { clsx } from 'clsx';
import { Heart } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '#web/ui/icon-button.tsx';

/** Toggles a favorite on this page only; nothing is saved. */
export function FavouriteHeart({ title, className }: { title: string; className?: string | undefined }) {
  const [favourite, setFavourite] = useState(false);
  return (
    <IconButton
      label={`Favorite: ${title}`}
      tone="solid"
      pressed={favourite}
      onClick={() => setFavourite(!favourite)}
      {...(className ? { className } : {})}
    >
      <Heart aria-hidden="true" className={clsx(favourite && 'fill-current text-brand-text')} />
    </IconButton>
  );
}

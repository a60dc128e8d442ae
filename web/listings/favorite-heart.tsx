import { clsx } from 'clsx';
import { Heart } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '#web/ui/icon-button.tsx';

/** Toggles a favorite on this page only; nothing is saved. */
export function FavoriteHeart({ title, className }: { title: string; className?: string | undefined }) {
  const [isFavorite, setIsFavorite] = useState(false);
  return (
    <IconButton
      label={`Favorite: ${title}`}
      tone="solid"
      pressed={isFavorite}
      onClick={() => setIsFavorite(!isFavorite)}
      {...(className ? { className } : {})}
    >
      <Heart aria-hidden="true" className={clsx(isFavorite && 'fill-current text-brand-text')} />
    </IconButton>
  );
}

import { clsx } from 'clsx';
import { Heart } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ListingCard } from '#contract/listings.ts';
import { importLazyScript } from '#web/lib/lazy-script.ts';
import { useSession } from '#web/lib/use-session.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { toast } from '#web/ui/toast.ts';

/** The functions that both `account-saves.ts` (signed in) and `visitor-saves.ts` (signed out) export. */
interface Saves {
  watchSaved: (id: string, onChange: (isSaved: boolean) => void, ownId: string) => () => void;
  setSaved: (id: string, isSaved: boolean, ownId: string) => Promise<boolean>;
}

const loadAccountSaves = (): Promise<Saves> => import('./saved/account-saves.ts');
const loadVisitorSaves = (): Promise<Saves> => import('./saved/visitor-saves.ts');
const scripts = new Map<typeof loadAccountSaves, Promise<Saves>>();

/**
 * Loads the functions that save listings, once for all hearts on the page. If a script were imported
 * twice, the second import could finish before the first, and taps would take effect in the wrong order.
 */
const loadSaves = (ownId: string): Promise<Saves> => {
  const load = ownId ? loadAccountSaves : loadVisitorSaves;
  const loading = scripts.get(load);
  if (loading) return loading;
  const saves = importLazyScript(load);
  scripts.set(load, saves);
  // Forget a failed import, so that a later tap tries again.
  saves.catch(() => scripts.delete(load));
  return saves;
};

export interface FavoriteHeartProps {
  listing: Pick<ListingCard, 'id' | 'title'> & Partial<Pick<ListingCard, 'user_id'>>;
  className?: string | undefined;
}

/**
 * The heart button that saves a listing, or removes it from the saved listings. Pages are the same for
 * everyone, so whether the listing is saved is loaded after the page. Owners do not see the button on
 * their own listings.
 */
export function FavoriteHeart({ listing: { id, title, user_id }, className }: FavoriteHeartProps) {
  const { loading, user } = useSession();
  const ownId = user?.id ?? '';
  const [isSaved, setIsSaved] = useState(false);

  useEffect(() => {
    if (loading) return;
    let isMounted = true;
    let stop = (): void => undefined;
    loadSaves(ownId).then(
      ({ watchSaved }) => {
        if (isMounted) stop = watchSaved(id, setIsSaved, ownId);
      },
      () => {
        // Ignore a failed preload: a tap loads the script again and reports a failure.
      },
    );
    return () => {
      isMounted = false;
      stop();
      setIsSaved(false);
    };
  }, [loading, ownId, id]);

  const toggle = async (): Promise<void> => {
    setIsSaved(!isSaved);
    try {
      const { setSaved } = await loadSaves(ownId);
      if (!(await setSaved(id, !isSaved, ownId))) setIsSaved(isSaved);
    } catch (reason) {
      setIsSaved(isSaved);
      toast.error((reason as Error).message);
    }
  };

  return (
    <IconButton
      label={`Favorite: ${title}`}
      tone="solid"
      pressed={isSaved}
      onClick={() => void toggle()}
      className={clsx(className, user_id && user_id === ownId && 'invisible')}
    >
      <Heart aria-hidden="true" className={clsx(isSaved && 'fill-current text-brand-text')} />
    </IconButton>
  );
}

import { clsx } from 'clsx';
import { Heart } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ListingCard } from '#contract/listings.ts';
import { importLazyScript } from '#web/lib/lazy-script.ts';
import { useSession } from '#web/lib/use-session.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { toast } from '#web/ui/toast.ts';

/** The functions of `account-saves.ts`, or of `visitor-saves.ts` while nobody is signed in. */
interface Saves {
  watchSaved: (id: string, onChange: (isSaved: boolean) => void, ownId: string) => () => void;
  setSaved: (id: string, isSaved: boolean, ownId: string) => Promise<boolean>;
}

const loadAccountSaves = (): Promise<Saves> => import('./saved/account-saves.ts');
const loadVisitorSaves = (): Promise<Saves> => import('./saved/visitor-saves.ts');
const scripts = new Map<typeof loadAccountSaves, Promise<Saves>>();

/**
 * Loads the functions only once for all hearts. If the script were imported twice, the second
 * import could finish before the first, and taps would take effect in the wrong order.
 */
const loadSaves = (ownId: string): Promise<Saves> => {
  const load = ownId ? loadAccountSaves : loadVisitorSaves;
  const loading = scripts.get(load);
  if (loading) return loading;
  const saves = importLazyScript(load);
  scripts.set(load, saves);
  // Allows a later tap to load them again.
  saves.catch(() => scripts.delete(load));
  return saves;
};

export interface FavoriteHeartProps {
  listing: Pick<ListingCard, 'id' | 'title'> & Partial<Pick<ListingCard, 'user_id'>>;
  className?: string | undefined;
}

/**
 * The button that saves a listing or removes it from the saved ones. Loads whether it is saved
 * after the page, because the page is the same for everyone. Owners do not see it on their own
 * listings.
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
        // A tap loads the script again, and reports a failure.
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

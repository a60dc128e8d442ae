import { useCallback, useEffect, useReducer, useRef } from 'react';
import { errorCatalogue } from '#contract/errors.ts';
import type { OwnListing } from '#contract/listings.ts';
import { newId } from '#web/lib/new-id.ts';
import { resizeImage } from '#web/lib/resize-image.ts';
import { uploadFile } from '#web/lib/upload.ts';
import { toast } from '#web/ui/toast.ts';
import { admit, type PhotoItem, photoReducer, storedItems } from './photo-items.ts';

/** Photos processed and uploaded at the same time; phones have little memory, campus networks little uplink. */
const atOnce = 2;

export interface Photos {
  items: readonly PhotoItem[];
  add: (files: readonly File[]) => void;
  retry: (item: PhotoItem) => void;
  remove: (id: string) => void;
  makeCover: (id: string) => void;
  /** Moves a photo to another's position. */
  move: (id: string, to: string) => void;
}

/** Manages the photos of a listing form: validates, resizes, uploads, reorders and removes them. */
export const usePhotos = (listing: OwnListing | undefined): Photos => {
  const [items, dispatch] = useReducer(photoReducer, listing, storedItems);
  const waiting = useRef<(() => Promise<void>)[]>([]);
  const running = useRef(0);
  const controls = useRef(new Map<string, AbortController>());
  const previews = useRef(new Map<string, string>());

  const next = useCallback((): void => {
    while (running.current < atOnce) {
      const work = waiting.current.shift();
      if (!work) return;
      running.current += 1;
      void work().finally(() => {
        running.current -= 1;
        next();
      });
    }
  }, []);

  const upload = useCallback(
    (id: string, file: File): void => {
      const control = new AbortController();
      controls.current.set(id, control);
      waiting.current.push(async () => {
        if (control.signal.aborted) return;
        try {
          const small = await resizeImage(file).catch(() => {
            // The browser's own decoding error is not meant for people.
            throw new Error(errorCatalogue.photo_unreadable.sentence);
          });
          const url = await uploadFile({
            bucket: 'listing-photos',
            file: small,
            onProgress: (progress) => dispatch({ kind: 'progressed', id, progress }),
            signal: control.signal,
          });
          dispatch({ kind: 'stored', id, url });
        } catch (reason) {
          if (control.signal.aborted) return;
          const error = reason instanceof Error ? reason.message : errorCatalogue.photo_unreadable.sentence;
          dispatch({ kind: 'failed', id, error });
          toast.error('Upload failed', error);
        }
      });
      next();
    },
    [next],
  );

  useEffect(
    () => () => {
      for (const control of controls.current.values()) control.abort();
      for (const preview of previews.current.values()) URL.revokeObjectURL(preview);
    },
    [],
  );

  const add = (files: readonly File[]): void => {
    const { taken, refusals } = admit(files, items.length);
    for (const { title, text } of refusals) toast.error(title, text);
    const added = taken.map((file): PhotoItem => {
      const id = newId();
      const preview = URL.createObjectURL(file);
      previews.current.set(id, preview);
      return { id, preview, url: null, uploading: true, progress: 0, error: null, file };
    });
    dispatch({ kind: 'added', items: added });
    for (const { id, file } of added) if (file) upload(id, file);
  };

  const retry = ({ id, file }: PhotoItem): void => {
    if (!file) return;
    dispatch({ kind: 'started', id });
    upload(id, file);
  };

  const remove = (id: string): void => {
    controls.current.get(id)?.abort();
    controls.current.delete(id);
    const preview = previews.current.get(id);
    if (preview) URL.revokeObjectURL(preview);
    previews.current.delete(id);
    dispatch({ kind: 'removed', id });
  };

  return {
    items,
    add,
    retry,
    remove,
    makeCover: (id) => dispatch({ kind: 'made-cover', id }),
    move: (id, to) => dispatch({ kind: 'moved', id, to }),
  };
};

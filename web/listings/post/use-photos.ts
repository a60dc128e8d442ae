import { useCallback, useEffect, useReducer, useRef } from 'react';
import { errorCatalogue } from '#contract/errors.ts';
import type { OwnListing } from '#contract/listings.ts';
import {
  maxPhotoBytes,
  maxPhotos,
  type Photo,
  photoSentences,
  photoTooLargeSentence,
  photoTypes,
} from '#contract/photos.ts';
import { newId } from '#web/lib/new-id.ts';
import { resizeImage } from '#web/lib/resize-image.ts';
import { uploadFile } from '#web/lib/upload.ts';
import { toast } from '#web/ui/toast.ts';

/** A photo of the form (specification §3, photo upload item). */
export interface PhotoItem {
  id: string;
  /** URL of the preview: the picked file, or the stored photo. */
  preview: string;
  /** The stored photo with its sizes, if known. */
  image?: Photo | undefined;
  /** The stored photo's URL. */
  url: string | null;
  uploading: boolean;
  /** Upload progress in percent. */
  progress: number;
  error: string | null;
  /** The picked file, kept for retries. */
  file: File | null;
}

export type PhotoEvent =
  | { kind: 'added'; items: readonly PhotoItem[] }
  | { kind: 'started'; id: string }
  | { kind: 'progressed'; id: string; progress: number }
  | { kind: 'stored'; id: string; url: string }
  | { kind: 'failed'; id: string; error: string }
  | { kind: 'removed'; id: string }
  | { kind: 'made-cover'; id: string }
  /** Moves a photo to another's position; those in between shift. */
  | { kind: 'moved'; id: string; to: string };

const updateItem = (items: readonly PhotoItem[], id: string, next: Partial<PhotoItem>): PhotoItem[] =>
  items.map((item) => (item.id === id ? { ...item, ...next } : item));

const moveItem = (items: readonly PhotoItem[], id: string, to: string): readonly PhotoItem[] => {
  const item = items.find((candidate) => candidate.id === id);
  const place = items.findIndex((candidate) => candidate.id === to);
  return item && place >= 0 ? items.filter((other) => other !== item).toSpliced(place, 0, item) : items;
};

export const photoReducer = (items: readonly PhotoItem[], event: PhotoEvent): readonly PhotoItem[] => {
  switch (event.kind) {
    case 'added':
      return [...items, ...event.items];
    case 'started':
      return updateItem(items, event.id, { uploading: true, progress: 0, error: null });
    case 'progressed':
      return updateItem(items, event.id, { progress: event.progress });
    case 'stored':
      return updateItem(items, event.id, { uploading: false, progress: 100, url: event.url });
    case 'failed':
      return updateItem(items, event.id, { uploading: false, error: event.error });
    case 'removed':
      return items.filter((item) => item.id !== event.id);
    case 'made-cover':
      return [...items].sort((a, b) => Number(b.id === event.id) - Number(a.id === event.id));
    case 'moved':
      return moveItem(items, event.id, event.to);
  }
};

const toPhotoItem = (url: string, image: Photo | undefined): PhotoItem => ({
  id: url,
  preview: url,
  image,
  url,
  uploading: false,
  progress: 100,
  error: null,
  file: null,
});

/** Returns the items for a stored listing's photos. */
export const toPhotoItems = (listing?: Pick<OwnListing, 'photos' | 'images'>): PhotoItem[] =>
  listing?.photos.map((url) =>
    toPhotoItem(
      url,
      listing.images.find((image) => image.url === url),
    ),
  ) ?? [];

export interface FileRefusal {
  title: string;
  text: string;
}

/** Splits picked files into accepted and refused ones with their messages (specification §5, Photo files). */
export const acceptFiles = (
  files: readonly File[],
  present: number,
): { taken: File[]; refusals: FileRefusal[] } => {
  const refusals: FileRefusal[] = [];
  const fit = files.filter((file) => {
    const text = !(photoTypes as readonly string[]).includes(file.type)
      ? photoSentences.type
      : file.size > maxPhotoBytes
        ? photoTooLargeSentence(file.size)
        : undefined;
    if (text) refusals.push({ title: 'Invalid file', text });
    return !text;
  });
  const room = Math.max(0, maxPhotos - present);
  if (fit.length > room) refusals.push({ title: 'Too many photos', text: photoSentences.tooMany });
  return { taken: fit.slice(0, room), refusals };
};

/** Maximum number of concurrent uploads: phones have little memory, campus networks little bandwidth. */
const maxConcurrentUploads = 2;

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
  const [items, dispatch] = useReducer(photoReducer, listing, toPhotoItems);
  const waiting = useRef<(() => Promise<void>)[]>([]);
  const running = useRef(0);
  const controls = useRef(new Map<string, AbortController>());
  const previews = useRef(new Map<string, string>());

  const next = useCallback((): void => {
    while (running.current < maxConcurrentUploads) {
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
    const { taken, refusals } = acceptFiles(files, items.length);
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

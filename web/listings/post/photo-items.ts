import type { OwnListing } from '#contract/listings.ts';
import type { Photo } from '#contract/photos.ts';
import type { PictureArea } from '#web/lib/photo-upload.ts';

/** A photo of the form (specification §3, photo upload item). */
export interface PhotoItem {
  id: string;
  /** URL of the preview: the picked file, or the stored photo. */
  preview: string;
  /** The stored photo with its sizes, if known. */
  image?: Photo | undefined;
  /** Whether the server serves the stored photo to its owner only, because the listing is taken down. */
  isHidden?: boolean;
  /** URL of the stored photo, or null until the upload succeeds. */
  url: string | null;
  uploading: boolean;
  /** Upload progress in percent. */
  progress: number;
  error: string | null;
  /** The picked file, kept for retries. */
  file: File | null;
  isSavedOnDevice: boolean;
  /** Where `file` shows codes that have to be hidden before it is uploaded. */
  codes?: readonly PictureArea[] | undefined;
}

export type PhotoEvent =
  | { kind: 'added'; items: readonly PhotoItem[] }
  | { kind: 'started'; id: string }
  | { kind: 'progressed'; id: string; progress: number }
  | { kind: 'stored'; id: string; url: string }
  | { kind: 'failed'; id: string; error: string }
  | { kind: 'code-found'; id: string; file: File; codes: readonly PictureArea[]; error: string }
  | { kind: 'replaced'; id: string; file: File; preview: string }
  | { kind: 'saved-on-device'; id: string }
  | { kind: 'removed'; id: string }
  | { kind: 'made-cover'; id: string }
  /** Moves the photo `id` to the position of the photo `to`; the photos between them shift. */
  | { kind: 'moved'; id: string; to: string };

const updatePhotoItem = (items: readonly PhotoItem[], id: string, next: Partial<PhotoItem>): PhotoItem[] =>
  items.map((item) => (item.id === id ? { ...item, ...next } : item));

const movePhotoItem = (items: readonly PhotoItem[], id: string, to: string): readonly PhotoItem[] => {
  const item = items.find((candidate) => candidate.id === id);
  const place = items.findIndex((candidate) => candidate.id === to);
  return item && place >= 0 ? items.filter((other) => other !== item).toSpliced(place, 0, item) : items;
};

export const photoReducer = (items: readonly PhotoItem[], event: PhotoEvent): readonly PhotoItem[] => {
  switch (event.kind) {
    case 'added':
      return [...items, ...event.items];
    case 'started':
      return updatePhotoItem(items, event.id, { uploading: true, progress: 0, error: null });
    case 'progressed':
      return updatePhotoItem(items, event.id, { progress: event.progress });
    case 'stored':
      return updatePhotoItem(items, event.id, { uploading: false, progress: 100, url: event.url });
    case 'failed':
      return updatePhotoItem(items, event.id, { uploading: false, error: event.error });
    case 'code-found': {
      const { file, codes, error } = event;
      return updatePhotoItem(items, event.id, { uploading: false, url: null, file, codes, error });
    }
    case 'replaced': {
      const { file, preview } = event;
      const next = { uploading: true, progress: 0, error: null, codes: undefined };
      return updatePhotoItem(items, event.id, { ...next, file, preview });
    }
    case 'saved-on-device':
      return updatePhotoItem(items, event.id, { isSavedOnDevice: true });
    case 'removed':
      return items.filter((item) => item.id !== event.id);
    case 'made-cover':
      return [...items].sort((a, b) => Number(b.id === event.id) - Number(a.id === event.id));
    case 'moved':
      return movePhotoItem(items, event.id, event.to);
  }
};

/** Returns the form's item for a stored photo, with its sizes if it is one of the listing's photos. */
export const toPhotoItem = (
  url: string,
  listing?: Pick<OwnListing, 'images' | 'hidden_reason'>,
): PhotoItem => ({
  id: url,
  preview: url,
  image: listing?.images.find((image) => image.url === url),
  isHidden: Boolean(listing?.hidden_reason),
  url,
  uploading: false,
  progress: 100,
  error: null,
  file: null,
  isSavedOnDevice: false,
});

export const toPhotoItems = (
  listing?: Pick<OwnListing, 'photos' | 'images' | 'hidden_reason'>,
): PhotoItem[] => listing?.photos.map((url) => toPhotoItem(url, listing)) ?? [];

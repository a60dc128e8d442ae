import type { OwnListing } from '#contract/listings.ts';
import {
  maxPhotos,
  type Photo,
  photoBytes,
  photoSentences,
  photoTooLarge,
  photoTypes,
} from '#contract/photos.ts';

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
  /** Percent. */
  progress: number;
  error: string | null;
  /** The picked file, for retries. */
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

const change = (items: readonly PhotoItem[], id: string, next: Partial<PhotoItem>): PhotoItem[] =>
  items.map((item) => (item.id === id ? { ...item, ...next } : item));

const moved = (items: readonly PhotoItem[], id: string, to: string): readonly PhotoItem[] => {
  const item = items.find((candidate) => candidate.id === id);
  const place = items.findIndex((candidate) => candidate.id === to);
  return item && place >= 0 ? items.filter((other) => other !== item).toSpliced(place, 0, item) : items;
};

export const photoReducer = (items: readonly PhotoItem[], event: PhotoEvent): readonly PhotoItem[] => {
  switch (event.kind) {
    case 'added':
      return [...items, ...event.items];
    case 'started':
      return change(items, event.id, { uploading: true, progress: 0, error: null });
    case 'progressed':
      return change(items, event.id, { progress: event.progress });
    case 'stored':
      return change(items, event.id, { uploading: false, progress: 100, url: event.url });
    case 'failed':
      return change(items, event.id, { uploading: false, error: event.error });
    case 'removed':
      return items.filter((item) => item.id !== event.id);
    case 'made-cover':
      return [...items].sort((a, b) => Number(b.id === event.id) - Number(a.id === event.id));
    case 'moved':
      return moved(items, event.id, event.to);
  }
};

const storedItem = (url: string, image: Photo | undefined): PhotoItem => ({
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
export const storedItems = (listing?: Pick<OwnListing, 'photos' | 'images'>): PhotoItem[] =>
  listing?.photos.map((url) =>
    storedItem(
      url,
      listing.images.find((image) => image.url === url),
    ),
  ) ?? [];

export interface Refusal {
  title: string;
  text: string;
}

/** Splits picked files into accepted and refused ones with their messages (specification §5, Photo files). */
export const admit = (files: readonly File[], present: number): { taken: File[]; refusals: Refusal[] } => {
  const refusals: Refusal[] = [];
  const fit = files.filter((file) => {
    const text = !(photoTypes as readonly string[]).includes(file.type)
      ? photoSentences.type
      : file.size > photoBytes
        ? photoTooLarge(file.size)
        : undefined;
    if (text) refusals.push({ title: 'Invalid file', text });
    return !text;
  });
  const room = Math.max(0, maxPhotos - present);
  if (fit.length > room) refusals.push({ title: 'Too many photos', text: photoSentences.tooMany });
  return { taken: fit.slice(0, room), refusals };
};

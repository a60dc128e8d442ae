import { useCallback, useEffect, useEffectEvent, useReducer, useRef } from 'react';
import { partitionPhotoFiles } from '#web/lib/photo-files.ts';
import { describeUploadFailure, prepareImage, uploadFile } from '#web/lib/photo-upload.ts';
import { removeFiles, saveFile } from '#web/lib/stored-files.ts';
import { createUuid } from '#web/lib/uuid.ts';
import { toast } from '#web/ui/toast.ts';
import { type PhotoItem, photoReducer } from './photo-items.ts';

/** Maximum number of concurrent uploads: phones have little memory, campus networks little bandwidth. */
const maxConcurrentUploads = 2;

/** The group of the toasts about uploads that failed, so that only the latest is displayed. */
export const photoToastGroup = 'photo upload';

export interface UsePhotosResult {
  items: readonly PhotoItem[];
  add: (files: readonly File[]) => void;
  retry: (item: PhotoItem) => void;
  /** Hides the codes of a photo that was refused because of them, and uploads it. */
  hideCodes: (item: PhotoItem) => void;
  remove: (id: string) => void;
  makeCover: (id: string) => void;
  /** Moves the photo `id` to the position of the photo `to`. */
  move: (id: string, to: string) => void;
}

/**
 * Manages the photos of a listing form: validates, resizes, uploads, reorders and removes them. Picked files are also saved
 * on this device, because an upload may be interrupted, and the server removes photos that no listing uses. Photos of tickets
 * are refused while they show a code.
 */
export const usePhotos = (
  ownerId: string,
  initialItems: readonly PhotoItem[],
  isTicket = false,
): UsePhotosResult => {
  const [items, dispatch] = useReducer(photoReducer, initialItems);
  const waiting = useRef<(() => Promise<void>)[]>([]);
  const running = useRef(0);
  const controls = useRef(new Map<string, AbortController>());
  const restored = useRef(initialItems);
  /** The object URLs of picked and restored files, by photo id. */
  const previews = useRef(
    new Map(initialItems.flatMap(({ id, preview, file }) => (file ? [[id, preview]] : []))),
  );
  const isMounted = useRef(false);
  const refusesCodes = useRef(isTicket);

  /** Returns whether a photo, prepared for upload, was refused because it shows a code. */
  const refuseCodes = useCallback(
    async (id: string, file: File, { toasts = false } = {}): Promise<boolean> => {
      if (!refusesCodes.current) return false;
      const { findCodes, visibleCodeMessage } = await import('./hide-codes.ts');
      const codes = await findCodes(file);
      if (codes.length === 0 || !refusesCodes.current) return false;
      dispatch({ kind: 'code-found', id, file, codes, error: visibleCodeMessage });
      if (toasts) toast.error(visibleCodeMessage, undefined, undefined, photoToastGroup);
      return true;
    },
    [],
  );

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

  const saveOnDevice = useCallback(
    async (id: string, file: File): Promise<void> => {
      if (await saveFile(ownerId, id, file)) dispatch({ kind: 'saved-on-device', id });
    },
    [ownerId],
  );

  const upload = useCallback(
    (id: string, file: File): void => {
      const control = new AbortController();
      controls.current.set(id, control);
      waiting.current.push(async () => {
        if (control.signal.aborted) return;
        try {
          const small = await prepareImage(file);
          if (control.signal.aborted) return;
          void saveOnDevice(id, small);
          if ((await refuseCodes(id, small)) || control.signal.aborted) return;
          const url = await uploadFile({
            bucket: 'listing-photos',
            file: small,
            onProgress: (progress) => dispatch({ kind: 'progressed', id, progress }),
            signal: control.signal,
          });
          dispatch({ kind: 'stored', id, url });
        } catch (reason) {
          if (control.signal.aborted) return;
          const error = describeUploadFailure(reason);
          dispatch({ kind: 'failed', id, error });
          toast.error('Upload failed', error, undefined, photoToastGroup);
        }
      });
      next();
    },
    [next, refuseCodes, saveOnDevice],
  );

  useEffect(() => {
    isMounted.current = true;
    for (const { id, file, uploading } of restored.current) if (uploading && file) upload(id, file);
    return () => {
      isMounted.current = false;
      for (const control of controls.current.values()) control.abort();
      // Revoke the object URLs later and only if still unmounted, because React's Strict Mode mounts
      // components twice in development.
      setTimeout(() => {
        if (isMounted.current) return;
        for (const preview of previews.current.values()) URL.revokeObjectURL(preview);
      });
    };
  }, [upload]);

  // Photos may be added before the category is chosen.
  const checkAddedPhotos = useEffectEvent(async () => {
    for (const { id, file, error, uploading } of items)
      if (file && !error && !uploading)
        await prepareImage(file)
          // The photos may be out of sight where the category is chosen.
          .then((small) => refuseCodes(id, small, { toasts: true }))
          .catch(() => {});
  });
  useEffect(() => {
    refusesCodes.current = isTicket;
    if (isTicket) void checkAddedPhotos();
  }, [isTicket]);

  const add = (files: readonly File[]): void => {
    const { taken, refusals } = partitionPhotoFiles(files, items.length);
    // Several files may be refused for the same reason.
    for (const { title, text } of refusals) toast.error(title, text, undefined, `photo refusal: ${text}`);
    const added = taken.map((file): PhotoItem => {
      const id = createUuid();
      const preview = URL.createObjectURL(file);
      previews.current.set(id, preview);
      return {
        id,
        preview,
        url: null,
        uploading: true,
        progress: 0,
        error: null,
        file,
        isSavedOnDevice: false,
      };
    });
    dispatch({ kind: 'added', items: added });
    for (const { id, file } of added) {
      if (!file) continue;
      void saveOnDevice(id, file);
      upload(id, file);
    }
  };

  const retry = ({ id, file }: PhotoItem): void => {
    if (!file) return;
    dispatch({ kind: 'started', id });
    upload(id, file);
  };

  const hideCodes = async ({ id, file, codes }: PhotoItem): Promise<void> => {
    if (!file || !codes) return;
    try {
      const hiding = await import('./hide-codes.ts');
      const hidden = await hiding.hideCodes(file, codes);
      const preview = URL.createObjectURL(hidden);
      URL.revokeObjectURL(previews.current.get(id) ?? '');
      previews.current.set(id, preview);
      dispatch({ kind: 'replaced', id, file: hidden, preview });
      upload(id, hidden);
    } catch (reason) {
      toast.error('Upload failed', describeUploadFailure(reason), undefined, photoToastGroup);
    }
  };

  const remove = (id: string): void => {
    controls.current.get(id)?.abort();
    controls.current.delete(id);
    const preview = previews.current.get(id);
    if (preview) URL.revokeObjectURL(preview);
    previews.current.delete(id);
    void removeFiles(ownerId, [id]);
    dispatch({ kind: 'removed', id });
  };

  return {
    items,
    add,
    retry,
    hideCodes: (item) => void hideCodes(item),
    remove,
    makeCover: (id) => dispatch({ kind: 'made-cover', id }),
    move: (id, to) => dispatch({ kind: 'moved', id, to }),
  };
};

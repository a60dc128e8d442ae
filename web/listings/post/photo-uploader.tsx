import { clsx } from 'clsx';
import { Camera, ImagePlus } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { useDropzone } from 'react-dropzone';
import { maxPhotosPerListing } from '#contract/photos.ts';
import { Button } from '#web/ui/button.tsx';
import { PhotoGrid } from './photo-grid.tsx';
import type { UsePhotosResult } from './use-photos.ts';

const acceptedFileTypes = { 'image/jpeg': ['.jpg', '.jpeg'], 'image/png': ['.png'], 'image/webp': ['.webp'] };

export interface PhotoUploaderProps {
  photos: UsePhotosResult;
  error?: string | undefined;
}

/** Adds photos by drag and drop, file picker, paste, or camera; the first one is the cover. */
export function PhotoUploader({ photos, error }: PhotoUploaderProps) {
  const { items, add } = photos;
  const labelId = useId();
  const camera = useRef<HTMLInputElement>(null);
  const room = items.length < maxPhotosPerListing;
  const region = useRef<HTMLElement>(null);
  const pressed = useRef(false);
  const recordPress =
    <Args extends unknown[]>(act: (...args: Args) => void) =>
    (...args: Args) => {
      pressed.current = true;
      act(...args);
    };
  const handled = {
    ...photos,
    remove: recordPress(photos.remove),
    makeCover: recordPress(photos.makeCover),
    retry: recordPress(photos.retry),
  };

  // A pressed button may disappear together with its photo. If the focus is lost in this way, it
  // moves to the first drag handle or to the file picker.
  useEffect(() => {
    if (!pressed.current) return;
    pressed.current = false;
    if (document.activeElement !== document.body) return;
    region.current?.querySelector<HTMLElement>('[aria-roledescription="sortable"], [data-choose]')?.focus();
  });

  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    accept: acceptedFileTypes,
    noClick: true,
    noKeyboard: true,
    // Files that the dropzone rejected are also passed to `add`, which reports them with our own
    // messages.
    onDrop: (taken, rejected) => add([...taken, ...rejected.map(({ file }) => file)]),
  });

  return (
    <section ref={region} aria-labelledby={labelId} className="flex flex-col gap-2">
      <div className="flex items-baseline justify-between">
        <h2 id={labelId} className="font-semibold text-sm">
          Photos
        </h2>
        <span className="figures text-ink-muted text-xs">{`${items.length}/${maxPhotosPerListing}`}</span>
      </div>
      <div
        {...getRootProps()}
        className={clsx(
          'rounded-lg border-2 border-dashed p-3 transition-colors md:p-4',
          isDragActive ? 'border-brand-text bg-brand-soft' : 'border-line-strong bg-sunken/50',
        )}
      >
        <input {...getInputProps({ 'aria-label': 'Choose photos' })} />
        {items.length > 0 && <PhotoGrid photos={handled} />}
        {room ? (
          <div className={clsx('flex flex-col items-center gap-3 text-center', items.length === 0 && 'py-6')}>
            <p className="text-ink-muted text-sm pointer-coarse:hidden">
              {isDragActive ? 'Drop them here' : 'Drag photos here, or choose them from your device'}
            </p>
            <div className="flex flex-wrap justify-center gap-3">
              <Button
                variant="secondary"
                data-choose
                icon={<ImagePlus aria-hidden="true" className="size-5" />}
                onClick={open}
              >
                Choose photos
              </Button>
              <Button
                variant="secondary"
                className="hidden! pointer-coarse:inline-flex!"
                icon={<Camera aria-hidden="true" className="size-5" />}
                onClick={() => camera.current?.click()}
              >
                Take a photo
              </Button>
            </div>
          </div>
        ) : (
          <p className="text-center text-ink-muted text-sm">{`You’ve added the maximum of ${maxPhotosPerListing} photos. Remove one to add another.`}</p>
        )}
        <input
          ref={camera}
          type="file"
          accept="image/*"
          capture="environment"
          tabIndex={-1}
          aria-hidden="true"
          className="hidden"
          onChange={(event) => {
            add([...(event.target.files ?? [])]);
            // Clear the input; otherwise choosing the same photo again would fire no `change`
            // event.
            event.target.value = '';
          }}
        />
      </div>
      <p className="text-ink-muted text-xs">{`Up to ${maxPhotosPerListing} JPG, PNG or WEBP photos, under 10MB each. The first one is the cover; drag them into order.`}</p>
      {error && (
        <p role="alert" className="font-medium text-danger text-sm">
          {error}
        </p>
      )}
    </section>
  );
}

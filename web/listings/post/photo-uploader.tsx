import { clsx } from 'clsx';
import { Camera, ImagePlus } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useDropzone } from 'react-dropzone';
import { maxPhotosPerListing } from '#contract/photos.ts';
import { Button } from '#web/ui/button.tsx';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import { PhotoGrid } from './photo-grid.tsx';
import type { UsePhotosResult } from './use-photos.ts';

const CameraDialog = lazyDialog(async () => (await import('./camera-dialog.tsx')).CameraDialog);

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
  const [isCameraOpen, setIsCameraOpen] = useState(false);
  const roomLeft = maxPhotosPerListing - items.length;
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
    hideCodes: recordPress(photos.hideCodes),
  };

  // A pressed button may disappear together with its photo. If the focus is lost in this way, it
  // moves to the first drag handle or to the file picker.
  useEffect(() => {
    if (!pressed.current) return;
    pressed.current = false;
    if (document.activeElement !== document.body) return;
    const next = region.current?.querySelectorAll<HTMLElement>(
      '[aria-roledescription="sortable"], [data-choose]',
    );
    [...(next ?? [])].find((element) => element.checkVisibility())?.focus();
  });

  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    accept: acceptedFileTypes,
    noClick: true,
    noKeyboard: true,
    // Files that the dropzone rejected are also passed to `add`, which reports them with our own
    // messages.
    onDrop: (taken, rejected) => add([...taken, ...rejected.map(({ file }) => file)]),
  });
  const openCamera = () => {
    if (typeof navigator.mediaDevices?.getUserMedia === 'function') setIsCameraOpen(true);
    else camera.current?.click();
  };
  const addButtons = roomLeft > 0 && (
    <>
      <AddButton icon={<ImagePlus aria-hidden="true" className="size-5" />} data-choose onClick={open}>
        Choose photos
      </AddButton>
      <AddButton
        icon={<Camera aria-hidden="true" className="size-5" />}
        className="hidden! pointer-coarse:inline-flex!"
        onClick={openCamera}
      >
        {roomLeft > 1 ? 'Take photos' : 'Take a photo'}
      </AddButton>
    </>
  );

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
          'transition-colors md:rounded-lg md:border-2 md:border-dashed md:p-4',
          isDragActive ? 'border-brand-text bg-brand-soft' : 'border-line-strong md:bg-sunken/50',
        )}
      >
        {/* Hidden from screen readers, which would announce it besides the button that opens it. */}
        <input {...getInputProps({ 'aria-label': 'Choose photos', style: { display: 'none' } })} />
        {items.length > 0 && (
          <PhotoGrid photos={handled}>
            <li className="flex gap-2 md:hidden">{addButtons}</li>
          </PhotoGrid>
        )}
        {roomLeft > 0 ? (
          <div
            className={clsx(
              'flex flex-col items-center gap-3 text-center',
              items.length === 0 ? 'md:py-6' : 'max-md:hidden',
            )}
          >
            <p className="text-ink-muted text-sm max-md:hidden pointer-coarse:hidden">
              {isDragActive ? 'Drop them here' : 'Drag photos here, or choose them from your device'}
            </p>
            <div className="flex flex-wrap justify-center gap-2 max-md:w-full max-md:*:flex-1 md:gap-3">
              {addButtons}
            </div>
          </div>
        ) : (
          <p className="text-ink-muted text-sm max-md:mt-2 md:text-center">{`You’ve added the maximum of ${maxPhotosPerListing} photos. Remove one to add another.`}</p>
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
      <p className="text-ink-muted text-xs max-md:hidden">{`Up to ${maxPhotosPerListing} JPG, PNG or WEBP photos, under 10MB each. The first one is the cover; drag them into order.`}</p>
      <p className="text-ink-muted text-xs md:hidden">{`Up to ${maxPhotosPerListing} JPG, PNG or WEBP, under 10MB each.`}</p>
      {error && (
        <p role="alert" className="font-medium text-danger text-sm">
          {error}
        </p>
      )}
      {isCameraOpen && (
        <CameraDialog
          roomLeft={roomLeft}
          onPhoto={(photo) => add([photo])}
          onUnavailable={() => camera.current?.click()}
          onClose={() => setIsCameraOpen(false)}
        />
      )}
    </section>
  );
}

interface AddButtonProps {
  icon: ReactNode;
  className?: string;
  onClick: () => void;
  children: string;
}

/** A button that adds photos; on phones a tile as high as the photos. */
function AddButton({ className, ...props }: AddButtonProps) {
  return (
    <Button
      variant="secondary"
      className={clsx(
        'max-md:min-h-18 max-md:min-w-18 max-md:flex-col max-md:gap-1 max-md:px-2! max-md:text-xs',
        className,
      )}
      {...props}
    />
  );
}

import { Camera, ImagePlus } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { photoMimeTypes } from '#contract/photos.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';

export interface AttachButtonProps {
  /** What the button adds, for screen readers; with `isLabeled`, the button shows it instead of an icon alone. */
  label?: string;
  isLabeled?: boolean;
  disabled: boolean;
  onPick: (files: readonly File[]) => void;
}

/** Adds photos to a message: from the library or, on touch screens, from the camera as well. */
export function AttachButton({
  label = 'Add photos',
  isLabeled = false,
  disabled,
  onPick,
}: AttachButtonProps) {
  const library = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const renderTrigger = (className: string, onClick: () => void) =>
    isLabeled ? (
      <Button
        size="sm"
        variant="secondary"
        disabled={disabled}
        className={className}
        aria-label={label}
        onClick={onClick}
      >
        Add photos
      </Button>
    ) : (
      <IconButton label={label} disabled={disabled} className={className} onClick={onClick}>
        <ImagePlus aria-hidden="true" />
      </IconButton>
    );
  const pick = (input: RefObject<HTMLInputElement | null>): void => {
    setIsOpen(false);
    input.current?.click();
  };
  return (
    <>
      {renderTrigger('pointer-coarse:hidden!', () => library.current?.click())}
      {renderTrigger('hidden! pointer-coarse:inline-grid!', () => setIsOpen(true))}
      <Dialog open={isOpen} onOpenChange={setIsOpen} title="Add photos" size="sm">
        <div className="flex flex-col gap-3">
          <Button
            wide
            variant="secondary"
            icon={<Camera aria-hidden="true" className="size-5" />}
            onClick={() => pick(camera)}
          >
            Take a photo
          </Button>
          <Button
            wide
            variant="secondary"
            icon={<ImagePlus aria-hidden="true" className="size-5" />}
            onClick={() => pick(library)}
          >
            Choose photos
          </Button>
        </div>
      </Dialog>
      <PhotoInput
        ref={library}
        label="Choose photos"
        accept={photoMimeTypes.join()}
        multiple
        onPick={onPick}
      />
      <PhotoInput ref={camera} label="Take a photo" accept="image/*" capture="environment" onPick={onPick} />
    </>
  );
}

interface PhotoInputProps extends Pick<AttachButtonProps, 'onPick'> {
  ref: RefObject<HTMLInputElement | null>;
  label: string;
  accept: string;
  capture?: 'environment';
  multiple?: boolean;
}

function PhotoInput({ label, onPick, ...input }: PhotoInputProps) {
  return (
    <input
      {...input}
      type="file"
      aria-label={label}
      className="hidden"
      onChange={({ target }) => {
        onPick([...(target.files ?? [])]);
        // Otherwise, choosing the same photo again would fire no `change` event.
        target.value = '';
      }}
    />
  );
}

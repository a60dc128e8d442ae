import { Camera, ImagePlus } from 'lucide-react';
import { useRef } from 'react';
import { photoMimeTypes } from '#contract/photos.ts';
import { DropdownMenu, MenuItem } from '#web/ui/dropdown-menu.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';

export interface AttachButtonProps {
  disabled: boolean;
  onPick: (files: readonly File[]) => void;
}

/** Adds photos to a message: from the library or, on touch screens, from the camera as well. */
export function AttachButton({ disabled, onPick }: AttachButtonProps) {
  const library = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const icon = <ImagePlus aria-hidden="true" />;
  return (
    <>
      <IconButton
        label="Add photos"
        disabled={disabled}
        className="pointer-coarse:hidden!"
        onClick={() => library.current?.click()}
      >
        {icon}
      </IconButton>
      <DropdownMenu
        trigger={
          <IconButton label="Add photos" disabled={disabled} className="hidden! pointer-coarse:inline-grid!">
            {icon}
          </IconButton>
        }
      >
        <MenuItem icon={<Camera aria-hidden="true" />} onSelect={() => camera.current?.click()}>
          Take a photo
        </MenuItem>
        <MenuItem icon={icon} onSelect={() => library.current?.click()}>
          Choose photos
        </MenuItem>
      </DropdownMenu>
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
  ref: React.RefObject<HTMLInputElement | null>;
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

import { useEffect, useId, useState } from 'react';
import Cropper from 'react-easy-crop';
import { type PictureArea, resizeImage } from '#web/lib/photo-upload.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogClose } from '#web/ui/dialog.tsx';

/** Size of a cropped avatar in pixels, enough for the largest avatar on a high-density screen. */
const avatarSizePixels = 512;
const maxZoom = 4;

export interface AvatarCropperProps {
  file: File;
  onClose: () => void;
  onUnreadable: () => void;
  onCropped: (file: File) => void;
}

/**
 * A dialog that crops a photo to a square. It is in a separate file, so that its script is loaded when a photo is
 * chosen.
 */
export function AvatarCropper({ file, onClose, onUnreadable, onCropped }: AvatarCropperProps) {
  const [source, setSource] = useState<string>();
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const [area, setArea] = useState<PictureArea>();
  const [isCropping, setIsCropping] = useState(false);
  const zoomId = useId();

  useEffect(() => {
    const url = URL.createObjectURL(file);
    setSource(url);
    return () => URL.revokeObjectURL(url);
  }, [file]);

  const finish = async (): Promise<void> => {
    if (!area) return;
    setIsCropping(true);
    try {
      onCropped(await resizeImage(file, { part: area, limit: avatarSizePixels }));
    } catch {
      onUnreadable();
    }
  };

  return (
    <Dialog
      open
      keepOpen
      onOpenChange={(open) => !open && onClose()}
      title="Crop your photo"
      description="Drag it, or move it with the arrow keys, until your face is in the circle."
      actions={
        <>
          <DialogClose>
            <Button variant="secondary">Cancel</Button>
          </DialogClose>
          <Button loading={isCropping} disabled={!area} onClick={() => void finish()}>
            Use Photo
          </Button>
        </>
      }
    >
      <div className="relative h-72 overflow-hidden rounded-lg bg-black md:h-80">
        {source && (
          <Cropper
            image={source}
            crop={crop}
            zoom={zoom}
            maxZoom={maxZoom}
            aspect={1}
            cropShape="round"
            showGrid={false}
            keyboardStep={10}
            cropperProps={{ role: 'group', 'aria-label': 'The part that is kept' }}
            mediaProps={{ alt: 'The photo you chose', onError: onUnreadable }}
            onCropChange={setCrop}
            onZoomChange={setZoom}
            onCropComplete={(_, pixels) => setArea(pixels)}
          />
        )}
      </div>
      <div className="mt-4 flex items-center gap-3">
        <label htmlFor={zoomId} className="font-semibold text-sm">
          Zoom
        </label>
        <input
          id={zoomId}
          type="range"
          min={1}
          max={maxZoom}
          step={0.05}
          value={zoom}
          onChange={(event) => setZoom(event.target.valueAsNumber)}
          className="h-11 w-full accent-brand"
        />
      </div>
    </Dialog>
  );
}

import { useRef, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { FullScreenDialog } from '#web/ui/full-screen-dialog.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { useCamera } from './use-camera.ts';

export interface CameraDialogProps {
  /** How many more photos can be added. */
  roomLeft: number;
  onPhoto: (photo: File) => void;
  /** Opens the camera app of the device instead. */
  onUnavailable: () => void;
  onClose: () => void;
}

const jpegQuality = 0.92;

const takePhoto = async (video: HTMLVideoElement): Promise<File | undefined> => {
  const canvas = document.createElement('canvas');
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext('2d')?.drawImage(video, 0, 0);
  const photo = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, 'image/jpeg', jpegQuality),
  );
  return photo ? new File([photo], `photo-${Date.now()}.jpg`, { type: 'image/jpeg' }) : undefined;
};

/** Shows what the camera sees and takes one photo after the other. */
export function CameraDialog({ roomLeft, onPhoto, onUnavailable, onClose }: CameraDialogProps) {
  const { video, state } = useCamera();
  const isFailed = state === 'denied' || state === 'unavailable';
  const [taken, setTaken] = useState(0);
  /** Number of pressed photos that `roomLeft` does not include yet. */
  const unfinished = useRef(0);
  const press = async (): Promise<void> => {
    if (!video.current || unfinished.current >= roomLeft) return;
    unfinished.current += 1;
    const photo = await takePhoto(video.current);
    unfinished.current -= 1;
    if (!photo) return;
    setTaken((count) => count + 1);
    onPhoto(photo);
  };
  return (
    <FullScreenDialog
      title="Camera"
      aside={<span role="status">{taken > 0 && `${taken} ${taken === 1 ? 'photo' : 'photos'} taken`}</span>}
      onClose={onClose}
    >
      <div className="flex h-full flex-col">
        <div className="grid min-h-0 flex-1 place-items-center">
          {isFailed ? (
            <div className="flex flex-col items-center gap-4 px-6 text-center">
              <p role="alert">
                {state === 'denied'
                  ? 'The camera is blocked. Allow it in your browser’s settings, or:'
                  : 'The camera can’t be used right now.'}
              </p>
              <Button
                variant="secondary"
                onClick={() => {
                  onClose();
                  onUnavailable();
                }}
              >
                Open camera app
              </Button>
            </div>
          ) : (
            <video ref={video} playsInline muted className="size-full object-contain" />
          )}
          {state === 'starting' && (
            <div className="absolute">
              <Spinner label="Starting the camera" />
            </div>
          )}
        </div>
        {!isFailed && (
          <div className="flex items-center justify-center gap-8 p-5">
            <button
              type="button"
              aria-label="Take photo"
              disabled={state !== 'ready' || roomLeft <= 0}
              onClick={() => void press()}
              className="size-18 rounded-full border-4 border-white bg-white/30 transition-colors hover:bg-white/50 disabled:opacity-40"
            />
            <Button variant="secondary" onClick={onClose}>
              Done
            </Button>
          </div>
        )}
      </div>
    </FullScreenDialog>
  );
}

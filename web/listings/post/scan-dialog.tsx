import { Flashlight } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { parseIsbn } from '#contract/isbn.ts';
import { readBarcodes } from '#web/lib/read-barcodes.ts';
import { Button } from '#web/ui/button.tsx';
import { FullScreenDialog } from '#web/ui/full-screen-dialog.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { useCamera } from './use-camera.ts';

/** How long to wait between two looks at the picture, in milliseconds. */
const pauseMs = 200;

export interface ScanDialogProps {
  onFound: (isbn: string) => void;
  onClose: () => void;
}

interface TorchConstraints extends MediaTrackConstraintSet {
  torch: boolean;
}

/** The switch for the lamp of the camera, if it has one. */
function TorchButton({ track }: { track: MediaStreamTrack }) {
  const [isOn, setIsOn] = useState(false);
  if (!('torch' in (track.getCapabilities?.() ?? {}))) return null;
  const toggle = async (): Promise<void> => {
    const torch: TorchConstraints = { torch: !isOn };
    await track.applyConstraints({ advanced: [torch] }).then(
      () => setIsOn(!isOn),
      () => {},
    );
  };
  return (
    <Button
      variant="secondary"
      aria-pressed={isOn}
      icon={<Flashlight aria-hidden="true" className="size-4" />}
      onClick={() => void toggle()}
    >
      Light
    </Button>
  );
}

/** Shows what the camera sees, and closes as soon as it sees the barcode of a book. */
export function ScanDialog({ onFound, onClose }: ScanDialogProps) {
  const { video, state, track } = useCamera();
  const [isBroken, setIsBroken] = useState(false);
  const report = useEffectEvent((isbn: string) => {
    onFound(isbn);
    onClose();
  });

  useEffect(() => {
    if (state !== 'ready') return;
    let isClosed = false;
    const scan = async (): Promise<void> => {
      while (!isClosed && video.current) {
        const barcodes = await readBarcodes(video.current, ['ean_13']);
        const isbn = barcodes.map(({ text }) => parseIsbn(text)).find((found) => found !== undefined);
        if (isClosed) return;
        if (isbn !== undefined) return report(isbn);
        await new Promise((resume) => setTimeout(resume, pauseMs));
      }
    };
    scan().catch(() => setIsBroken(!isClosed));
    return () => {
      isClosed = true;
    };
  }, [state, video]);

  const failure =
    state === 'denied'
      ? 'The camera is blocked. Allow it in your browser’s settings, or type the ISBN.'
      : state === 'unavailable'
        ? 'The camera can’t be used right now. Type the ISBN instead.'
        : isBroken && 'Barcodes can’t be read right now. Type the ISBN instead.';
  return (
    <FullScreenDialog title="Scan the barcode" onClose={onClose}>
      <div className="flex h-full flex-col">
        <div className="grid min-h-0 flex-1 place-items-center">
          {failure ? (
            <p role="alert" className="px-6 text-center">
              {failure}
            </p>
          ) : (
            <video ref={video} playsInline muted className="size-full object-contain" />
          )}
          {state === 'starting' && (
            <div className="absolute">
              <Spinner label="Starting the camera" />
            </div>
          )}
        </div>
        <div className="flex flex-wrap items-center justify-center gap-4 p-5 text-center">
          {!failure && <p>Hold the barcode on the back of the book in front of the camera.</p>}
          {track && !failure && <TorchButton track={track} />}
          <Button variant="secondary" onClick={onClose}>
            Type it instead
          </Button>
        </div>
      </div>
    </FullScreenDialog>
  );
}

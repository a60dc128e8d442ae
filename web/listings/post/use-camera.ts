import { type RefObject, useEffect, useRef, useState } from 'react';

const cameraRequest: MediaStreamConstraints = {
  video: { facingMode: { ideal: 'environment' }, width: { ideal: 1920 }, height: { ideal: 1440 } },
};

interface Camera {
  video: RefObject<HTMLVideoElement | null>;
  state: 'starting' | 'ready' | 'denied' | 'unavailable';
  /** The camera's picture, once it is ready. */
  track: MediaStreamTrack | undefined;
}

/** Shows what the camera of the device sees in a video element, until the component is removed. */
export const useCamera = (): Camera => {
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<Camera['state']>('starting');
  const [track, setTrack] = useState<MediaStreamTrack>();
  useEffect(() => {
    let stream: MediaStream | undefined;
    let isClosed = false;
    const stop = (): void => {
      for (const running of stream?.getTracks() ?? []) running.stop();
    };
    const start = async (): Promise<void> => {
      stream = await navigator.mediaDevices.getUserMedia(cameraRequest);
      if (isClosed || !video.current) return stop();
      const [picture] = stream.getVideoTracks();
      // The device may take the camera away. Stopping it here fires no event.
      picture?.addEventListener('ended', () => setState('unavailable'));
      video.current.srcObject = stream;
      await video.current.play();
      setTrack(picture);
      setState('ready');
    };
    start().catch((error: unknown) => {
      stop();
      if (!isClosed)
        setState((error as Partial<Error>).name === 'NotAllowedError' ? 'denied' : 'unavailable');
    });
    return () => {
      isClosed = true;
      stop();
    };
  }, []);
  return { video, state, track };
};

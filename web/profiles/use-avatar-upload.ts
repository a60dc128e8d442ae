import { useEffect, useRef, useState } from 'react';
import { uploadFile } from '#web/lib/photo-upload.ts';
import { toast } from '#web/ui/toast.ts';
import { type AvatarFormName, avatarErrorMessages } from './avatar-rules.ts';
import { saveProfile } from './own-profile.ts';

/** Shown at the buttons of a form that waits for its upload, whose progress may be out of view on phones. */
export const waitingForPhotoMessage = 'Waiting for your photo to finish uploading…';

export interface AvatarUpload {
  /** Progress of the upload in percent, or undefined while there is none. */
  progress: number | undefined;
  /** Uploads a picture and saves it as the avatar, or shows why that failed. */
  start: (file: File) => void;
  /** Waits for the upload in progress, if any. Returns false if it failed. */
  finish: () => Promise<boolean>;
}

/** Uploads avatars for a form, which must call `finish` before it closes: leaving the form cancels the upload. */
export const useAvatarUpload = (form: AvatarFormName): AvatarUpload => {
  const [progress, setProgress] = useState<number>();
  const uploading = useRef<Promise<boolean>>(undefined);
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);

  const upload = async (file: File): Promise<boolean> => {
    setProgress(0);
    controller.current = new AbortController();
    const { signal } = controller.current;
    try {
      const avatar_url = await uploadFile({ bucket: 'avatars', file, onProgress: setProgress, signal });
      await saveProfile({ avatar_url });
      toast.success('Avatar uploaded successfully');
      return true;
    } catch {
      if (!signal.aborted) toast.error(...avatarErrorMessages[form].failed);
      return false;
    } finally {
      setProgress(undefined);
      uploading.current = undefined;
    }
  };

  return {
    progress,
    start: (file) => {
      uploading.current = upload(file);
    },
    finish: async () => (await uploading.current) ?? true,
  };
};

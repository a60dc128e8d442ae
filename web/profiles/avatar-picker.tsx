import { Camera, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { errorCatalogue } from '#contract/errors.ts';
import { photoTypes } from '#contract/photos.ts';
import { displayName, type OwnProfile } from '#contract/profiles.ts';
import { uploadFile } from '#web/lib/upload.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { lazyDialog } from '#web/ui/lazy-dialog.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { toast } from '#web/ui/toast.ts';
import { type AvatarForm, avatarMessages, findAvatarError } from './avatar-rules.ts';
import { saveProfile } from './own-profile.ts';

const AvatarCropper = lazyDialog(async () => (await import('./avatar-cropper.tsx')).AvatarCropper);

export interface AvatarPickerProps {
  profile: OwnProfile;
  form: AvatarForm;
}

/** Lets the person choose, crop and upload their avatar, or remove it. */
export function AvatarPicker({ profile, form }: AvatarPickerProps) {
  const input = useRef<HTMLInputElement>(null);
  const uploadController = useRef<AbortController>(undefined);
  const [picked, setPicked] = useState<File>();
  const [progress, setProgress] = useState<number>();
  const [removing, setRemoving] = useState(false);
  const uploading = progress !== undefined;
  useEffect(() => () => uploadController.current?.abort(), []);

  const pick = (file: File | undefined): void => {
    if (!file) return;
    const errorMessage = findAvatarError(file, form);
    if (errorMessage) toast.error(errorMessage);
    else setPicked(file);
  };

  const upload = async (file: File): Promise<void> => {
    setPicked(undefined);
    setProgress(0);
    uploadController.current = new AbortController();
    const { signal } = uploadController.current;
    try {
      const avatar_url = await uploadFile({ bucket: 'avatars', file, onProgress: setProgress, signal });
      await saveProfile({ avatar_url });
      toast.success('Avatar uploaded successfully');
    } catch {
      if (!signal.aborted) toast.error(...avatarMessages[form].failed);
    }
    setProgress(undefined);
  };

  const remove = async (): Promise<void> => {
    setRemoving(true);
    try {
      await saveProfile({ avatar_url: null });
      toast.success('Avatar removed');
    } catch {
      toast.error('Failed to remove avatar');
    }
    setRemoving(false);
  };

  return (
    <section aria-label="Profile picture" className="flex flex-col items-center gap-4 sm:flex-row sm:gap-6">
      <Avatar name={displayName(profile)} src={profile.avatar_url} size="xl" alt="Your profile picture" />
      <div className="flex min-w-0 flex-col items-center gap-2 sm:items-start">
        <div className="flex flex-wrap justify-center gap-2.5 sm:justify-start">
          <Button
            variant="secondary"
            size="sm"
            loading={uploading}
            icon={<Camera aria-hidden="true" className="size-4" />}
            onClick={() => input.current?.click()}
          >
            {profile.avatar_url ? 'Change Photo' : 'Upload Photo'}
          </Button>
          {profile.avatar_url && (
            <Button
              variant="ghost"
              size="sm"
              loading={removing}
              disabled={uploading}
              icon={<Trash2 aria-hidden="true" className="size-4" />}
              onClick={() => void remove()}
            >
              Remove
            </Button>
          )}
        </div>
        {uploading ? (
          <ProgressBar value={progress} label="Uploading your photo" />
        ) : (
          <p className="text-ink-muted text-xs">JPG, PNG or WEBP, under 5MB.</p>
        )}
      </div>
      <input
        ref={input}
        type="file"
        accept={photoTypes.join()}
        tabIndex={-1}
        aria-label="Choose a profile picture"
        className="hidden"
        onChange={(event) => {
          pick(event.target.files?.[0]);
          // Without this, choosing the same file again fires no event.
          event.target.value = '';
        }}
      />
      {picked && (
        <AvatarCropper
          file={picked}
          onClose={() => setPicked(undefined)}
          onUnreadable={() => {
            setPicked(undefined);
            toast.error(errorCatalogue.avatar_type.sentence);
          }}
          onCropped={(file) => void upload(file)}
        />
      )}
    </section>
  );
}

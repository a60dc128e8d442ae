import { Camera, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { errorCatalog } from '#contract/errors.ts';
import { photoMimeTypes } from '#contract/photos.ts';
import { getDisplayName, type OwnProfile } from '#contract/profiles.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { toast } from '#web/ui/toast.ts';
import { type AvatarFormName, findAvatarError } from './avatar-rules.ts';
import { saveProfile } from './own-profile.ts';
import type { AvatarUpload } from './use-avatar-upload.ts';

const AvatarCropper = lazyDialog(async () => (await import('./avatar-cropper.tsx')).AvatarCropper);

export interface AvatarPickerProps {
  profile: OwnProfile;
  form: AvatarFormName;
  upload: AvatarUpload;
}

/** Lets the person choose, crop and upload their avatar, or remove it. */
export function AvatarPicker({ profile, form, upload }: AvatarPickerProps) {
  const input = useRef<HTMLInputElement>(null);
  const [picked, setPicked] = useState<File>();
  const [isRemovalDialogOpen, setIsRemovalDialogOpen] = useState(false);
  const uploading = upload.progress !== undefined;

  const pick = (file: File | undefined): void => {
    if (!file) return;
    const errorMessage = findAvatarError(file, form);
    if (errorMessage) toast.error(errorMessage);
    else setPicked(file);
  };

  const remove = async (): Promise<void> => {
    try {
      await saveProfile({ avatar_url: null });
      toast.success('Avatar removed');
    } catch (error) {
      toast.error('Failed to remove avatar');
      throw error;
    }
  };

  return (
    <section aria-label="Profile picture" className="flex flex-col items-center gap-4 sm:flex-row sm:gap-6">
      <Avatar name={getDisplayName(profile)} src={profile.avatar_url} size="xl" alt="Your profile picture" />
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
              disabled={uploading}
              icon={<Trash2 aria-hidden="true" className="size-4" />}
              onClick={() => setIsRemovalDialogOpen(true)}
            >
              Remove
            </Button>
          )}
        </div>
        {upload.progress !== undefined ? (
          <ProgressBar value={upload.progress} label="Uploading your photo" />
        ) : (
          <p className="text-ink-muted text-xs">JPG, PNG or WEBP, under 5MB.</p>
        )}
      </div>
      <input
        ref={input}
        type="file"
        accept={photoMimeTypes.join()}
        tabIndex={-1}
        aria-label="Choose a profile picture"
        className="hidden"
        onChange={(event) => {
          pick(event.target.files?.[0]);
          // Clear the input; otherwise choosing the same file again would fire no `change` event.
          event.target.value = '';
        }}
      />
      <ConfirmDialog
        open={isRemovalDialogOpen}
        onOpenChange={setIsRemovalDialogOpen}
        title="Remove your picture?"
        description="The picture is deleted, and others see your initials instead."
        confirmLabel="Remove"
        danger
        onConfirm={remove}
      />
      {picked && (
        <AvatarCropper
          file={picked}
          onClose={() => setPicked(undefined)}
          onUnreadable={() => {
            setPicked(undefined);
            toast.error(errorCatalog.avatar_type.sentence);
          }}
          onCropped={(file) => {
            setPicked(undefined);
            upload.start(file);
          }}
        />
      )}
    </section>
  );
}

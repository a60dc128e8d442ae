import { errorCatalog } from '#contract/errors.ts';
import { maxAvatarBytes, photoMimeTypes } from '#contract/photos.ts';

/**
 * Error messages for each form that has an avatar field. The profile editor and the first-time set-up
 * phrase the same rules differently (specification §5, §8).
 */
export const avatarErrorMessages: Record<
  'editor' | 'setup',
  { tooLarge: string; failed: [title: string, text?: string] }
> = {
  editor: {
    tooLarge: errorCatalog.avatar_too_large.sentence,
    failed: ['Failed to upload avatar'],
  },
  setup: {
    tooLarge: 'Please select an image under 5MB',
    failed: ['Upload failed', 'Could not upload image. Try again'],
  },
};

export type AvatarFormName = keyof typeof avatarErrorMessages;

/** Returns the error message for a file that cannot be used as an avatar, or undefined if it can. */
export const findAvatarError = (
  { type, size }: Pick<File, 'type' | 'size'>,
  form: AvatarFormName,
): string | undefined => {
  if (!(photoMimeTypes as readonly string[]).includes(type)) return errorCatalog.avatar_type.sentence;
  return size > maxAvatarBytes ? avatarErrorMessages[form].tooLarge : undefined;
};

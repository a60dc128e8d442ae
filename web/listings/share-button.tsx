import { Share2 } from 'lucide-react';
import { IconButton } from '#web/ui/icon-button.tsx';
import { toast } from '#web/ui/toast.ts';

export interface ShareButtonProps {
  title: string;
  /** The absolute URL to share. */
  url: string;
}

/** A button that shares a link. */
export function ShareButton(link: ShareButtonProps) {
  return (
    <IconButton label="Share" tone="solid" onClick={() => void shareLink(link)}>
      <Share2 aria-hidden="true" />
    </IconButton>
  );
}

/** Opens the device's share sheet for a link. If the device has none, copies the link. */
export const shareLink = async (link: ShareButtonProps): Promise<void> => {
  try {
    if (navigator.share) return await navigator.share(link);
  } catch (error) {
    // Ignore errors that mean that the person has closed the share sheet or tapped twice.
    if (['AbortError', 'InvalidStateError'].includes((error as Error).name)) return;
  }
  try {
    await navigator.clipboard.writeText(link.url);
    toast.success('Link copied');
  } catch {
    toast.error('The link could not be copied', link.url);
  }
};

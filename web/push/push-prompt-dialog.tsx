import { Dialog } from '#web/ui/dialog.tsx';
import { type PushPromptProps, usePushPrompt } from './use-push-prompt.tsx';

/**
 * A dialog that asks to turn on push notifications. Closing it without a choice does not count as
 * declining.
 */
export function PushPromptDialog({ onEnd, ...props }: PushPromptProps & { onEnd: () => void }) {
  const { title, content, actions } = usePushPrompt({ ...props, onEnd });
  return (
    <Dialog open onOpenChange={onEnd} title={title} actions={actions} size="sm">
      {content}
    </Dialog>
  );
}

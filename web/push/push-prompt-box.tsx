import { BellRing } from 'lucide-react';
import { type PushPromptProps, usePushPrompt } from './use-push-prompt.tsx';

/** Shows the prompt for push notifications inside a screen, without interrupting what the person does. */
export function PushPromptBox(props: PushPromptProps) {
  const { title, content, actions } = usePushPrompt(props);
  return (
    <section
      aria-label="Notifications on this device"
      className="flex max-h-[45dvh] items-start gap-3 overflow-y-auto border-line border-t bg-brand-soft px-4 py-3"
    >
      <BellRing aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-brand-text" />
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <p className="font-bold">{title}</p>
        {content}
        <div className="flex flex-wrap justify-end gap-2">{actions}</div>
      </div>
    </section>
  );
}

import { ShieldAlert, X } from 'lucide-react';
import { IconButton } from '#web/ui/icon-button.tsx';
import { type WarningKind, warningMessages } from './warning-rules.ts';

export interface MessageWarningProps {
  kinds: readonly WarningKind[];
  onDismiss: () => void;
}

/** A warning below a received message, such as a hint that the message may be a scam. */
export function MessageWarning({ kinds, onDismiss }: MessageWarningProps) {
  return (
    <div
      role="note"
      aria-label="Safety tip"
      className="mt-1 flex items-start gap-2 rounded-lg bg-gold-soft pl-3 text-gold-text text-sm md:max-w-[75%]"
    >
      <ShieldAlert aria-hidden="true" className="mt-3 size-4 shrink-0" />
      <div className="min-w-0 flex-1 space-y-1 py-2.5">
        {kinds.map((kind) => (
          <p key={kind}>{warningMessages[kind]}</p>
        ))}
      </div>
      <IconButton label="Hide safety tip" className="text-gold-text!" onClick={onDismiss}>
        <X aria-hidden="true" className="size-4!" />
      </IconButton>
    </div>
  );
}

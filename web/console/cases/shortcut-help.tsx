import { Keyboard } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

const shortcuts = [
  ['j', 'Next case'],
  ['k', 'Previous case'],
  ['Enter', 'Open the case'],
  ['a', 'Assign the case to me'],
  ['?', 'Show this help'],
] as const;

interface ShortcutHelpProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The keys that work while the focus is in the list of cases or on a case. */
export function ShortcutHelp({ open, onOpenChange }: ShortcutHelpProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Keyboard shortcuts"
      description="They work while the focus is in the list, or on the page of a case."
      size="sm"
      trigger={
        <Button variant="secondary" size="sm" icon={<Keyboard aria-hidden="true" className="size-5" />}>
          Shortcuts
        </Button>
      }
    >
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2">
        {shortcuts.map(([key, what]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="inline-block min-w-8 rounded-md border border-line-strong bg-sunken px-2 py-0.5 text-center font-semibold text-sm">
                {key}
              </kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

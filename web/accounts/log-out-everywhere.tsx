import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { toast } from '#web/ui/toast.ts';
import { useLogoutEverywhere } from './use-logout.ts';

/** A button that ends all sessions of the person, after a question. */
export function LogOutEverywhere() {
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const logoutEverywhere = useLogoutEverywhere();
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <p className="max-w-prose text-ink-muted text-sm">
        Ends every session of yours, on this device and all others, within seconds.
      </p>
      <Button variant="secondary" onClick={() => setIsDialogOpen(true)}>
        Log out everywhere
      </Button>
      <ConfirmDialog
        open={isDialogOpen}
        onOpenChange={setIsDialogOpen}
        title="Log out everywhere?"
        description="You will have to log in again on each of your devices."
        confirmLabel="Log out"
        onConfirm={async () => {
          try {
            await logoutEverywhere();
          } catch (reason) {
            toast.error('Something went wrong. Please try again.');
            throw reason;
          }
        }}
      />
    </div>
  );
}

import { Camera } from 'lucide-react';
import { useState } from 'react';
import { toCampusDay } from '#contract/campus.ts';
import { listOpenPhotoSteps, listRemovablePhotoSteps } from '#contract/rental-photos.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Button } from '#web/ui/button.tsx';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import type { RentalPhotosDialogProps } from './rental-photos-dialog.tsx';

const RentalPhotosDialog = lazyDialog(
  async () => (await import('./rental-photos-dialog.tsx')).RentalPhotosDialog,
);

/** Opens the photos of a rented item's condition, if there are any or photos can be added. */
export function RentalPhotosButton(
  props: Omit<RentalPhotosDialogProps, 'openSteps' | 'removableSteps' | 'onClose'>,
) {
  const campus = useCampus();
  const [isOpen, setIsOpen] = useState(false);
  const today = toCampusDay(campus, new Date());
  const openSteps = listOpenPhotoSteps(props.deal, today);
  if (openSteps.length === 0 && !props.deal.has_photos) return null;
  return (
    <>
      <Button
        size="sm"
        variant="secondary"
        icon={<Camera aria-hidden="true" className="size-4" />}
        className="shrink-0 whitespace-nowrap max-sm:px-3!"
        onClick={() => setIsOpen(true)}
      >
        Condition photos
      </Button>
      {isOpen && (
        <RentalPhotosDialog
          {...props}
          openSteps={openSteps}
          removableSteps={listRemovablePhotoSteps(props.deal, today)}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}

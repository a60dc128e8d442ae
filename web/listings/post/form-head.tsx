import { ArrowLeft, X } from 'lucide-react';
import { Link, useNavigate } from 'react-router';
import { hasEarlierEntry } from '#web/lib/history-entry-state.ts';
import { links } from '#web/lib/links.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { useFocusAfterNavigation } from '#web/ui/page-heading.tsx';
import { toast } from '#web/ui/toast.ts';
import { findUnsentListingForm, isStoredOnDevice, type ListingFormKey } from './unsent-listing-form.ts';

const sayWhereSaved = async (key: ListingFormKey): Promise<void> => {
  const unsent = findUnsentListingForm(key);
  if (!unsent) return;
  if (await isStoredOnDevice(key, unsent)) toast.message('Saved on this device');
  else toast.error('Not saved on this device', 'It stays only until you close this tab.');
};

export interface ListingFormHeadProps {
  title: string;
  formKey: ListingFormKey;
  /** Receives the element for the form's main button on phones. */
  setSlot: (slot: HTMLElement | null) => void;
}

/**
 * The head of the form. On phones, where the form fills the window (`data-task-screen` in app.css), it stays at the top
 * and contains the buttons that close and submit the form.
 */
export function ListingFormHead({ title, formKey, setSlot }: ListingFormHeadProps) {
  const navigate = useNavigate();
  const heading = useFocusAfterNavigation<HTMLHeadingElement>();
  const close = () => {
    void sayWhereSaved(formKey);
    if (hasEarlierEntry()) void navigate(-1);
    else void navigate(links.myListings, { replace: true });
  };
  return (
    <div
      data-task-screen
      data-pinned
      className="top-bar max-md:sticky max-md:z-30 max-md:-mx-(--page-gutter) max-md:mb-4 max-md:flex max-md:min-h-14 max-md:flex-wrap max-md:items-center max-md:gap-1 max-md:border-line max-md:border-b max-md:bg-surface max-md:pr-(--page-gutter) max-md:pl-1 md:mb-8"
    >
      <Link
        to={links.myListings}
        className="mb-2 inline-flex min-h-11 items-center gap-2 font-semibold text-ink-muted text-sm hover:text-ink max-md:hidden"
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        My Listings
      </Link>
      <IconButton label="Close" className="md:hidden" onClick={close}>
        <X aria-hidden="true" />
      </IconButton>
      <h1
        ref={heading}
        tabIndex={-1}
        className="min-w-0 font-extrabold text-3xl outline-none max-md:flex-1 max-md:basis-[6rem] max-md:text-lg max-md:leading-tight"
      >
        {title}
      </h1>
      <div ref={setSlot} className="ml-auto flex items-center gap-1 md:hidden" />
    </div>
  );
}

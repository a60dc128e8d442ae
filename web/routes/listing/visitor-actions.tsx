import { MessageCircle } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { useSearchParams } from 'react-router';
import type { Listing } from '#contract/listings.ts';
import { ListingDeal } from '#web/deals/listing-deal.tsx';
import { listOfferButtons, type OfferDialogName } from '#web/deals/listing-deal-buttons.tsx';
import { links } from '#web/lib/links.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { useDialogOfAccount } from '#web/lib/use-dialog-of-account.ts';
import { useSession } from '#web/lib/use-session.ts';
import { Button } from '#web/ui/button.tsx';
import { lazyDialog } from '#web/ui/lazy-component.tsx';

const MessageDialog = lazyDialog(
  async () => (await import('#web/conversations/message-dialog.tsx')).MessageDialog,
);
const OfferDialog = lazyDialog(async () => (await import('#web/deals/offer-dialog.tsx')).OfferDialog);
const SignInRequiredDialog = lazyDialog(
  async () => (await import('#web/ui/sign-in-required-dialog.tsx')).SignInRequiredDialog,
);

type DialogName = 'message' | OfferDialogName;

/**
 * Returns the dialog that the person wanted to open before logging in, and a function that removes this
 * request from the URL. The URL contains it as `?message=1` or, for example, `?deal=offer`.
 */
const useRequestedDialog = (
  listing: Listing,
): { requested: DialogName | undefined; clearRequest: () => void } => {
  const campus = useCampus();
  const [params, setParams] = useSearchParams();
  const clearRequest = () =>
    setParams(
      (before) => {
        before.delete('message');
        before.delete('deal');
        return before;
      },
      { replace: true, preventScrollReset: true, defaultShouldRevalidate: false },
    );
  const name = params.get('deal');
  const requested =
    params.get('message') === '1'
      ? 'message'
      : listOfferButtons(listing, campus).find((button) => button.name === name)?.name;
  return { requested, clearRequest };
};

/** The actions for everybody but the owner: starting a deal, and messaging the seller. */
export function VisitorActions({ listing }: { listing: Listing }) {
  const { user } = useSession();
  const { requested, clearRequest } = useRequestedDialog(listing);
  const [opened, setOpened] = useDialogOfAccount<{ name: DialogName; ownId: string | undefined }>();
  const dialog = opened ?? (requested && user ? { name: requested, ownId: user.id } : undefined);
  const open = (name: DialogName) => setOpened({ name, ownId: user?.id });

  const close = () => {
    setOpened(undefined);
    if (requested) clearRequest();
  };

  // Removes the parameter that asks for the offer dialog from the URL before opening the dialog. Sending the offer
  // navigates to its conversation, and Back must not open the dialog again.
  const isOfferRequested = Boolean(requested && requested !== 'message' && user);
  const startOffer = useEffectEvent(() => {
    if (!requested) return;
    open(requested);
    clearRequest();
  });
  useEffect(() => {
    if (isOfferRequested) startOffer();
  }, [isOfferRequested]);

  const message = (
    <Button
      variant="secondary"
      size="lg"
      className="min-h-13! min-w-0 flex-1 px-2! text-sm! md:whitespace-nowrap md:text-base!"
      icon={<MessageCircle aria-hidden="true" className="size-5 max-lg:hidden" />}
      onClick={() => open('message')}
    >
      Message Seller
    </Button>
  );
  return (
    <>
      <ListingDeal listing={listing} ownId={user?.id} message={message} onOpen={open} />
      {dialog && !isOfferRequested && <VisitorDialog {...dialog} listing={listing} onClose={close} />}
    </>
  );
}

/** Returns why a visitor must sign in, and the path that opens the action's dialog afterwards. */
const toSignInRequest = (name: DialogName, { slug }: Listing) =>
  name === 'message'
    ? {
        description:
          'You need to be logged in to message sellers. Please sign in or create an account to continue.',
        returnTo: `${links.listing(slug)}?message=1`,
      }
    : {
        description:
          'You need to be logged in to make a deal. Please sign in or create an account to continue.',
        returnTo: `${links.listing(slug)}?deal=${name}`,
      };

interface VisitorDialogProps {
  name: DialogName;
  /** The id of the person who opened the dialog, or undefined if nobody was signed in. */
  ownId: string | undefined;
  listing: Listing;
  onClose: () => void;
}

function VisitorDialog({ name, ownId, listing, onClose }: VisitorDialogProps) {
  if (!ownId) return <SignInRequiredDialog {...toSignInRequest(name, listing)} onClose={onClose} />;
  if (name === 'message') return <MessageDialog listing={listing} onClose={onClose} />;
  return <OfferDialog name={name} listing={listing} ownId={ownId} onClose={onClose} />;
}

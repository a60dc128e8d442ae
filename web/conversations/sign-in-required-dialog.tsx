import { Link } from 'react-router';
import type { Listing } from '#contract/listings.ts';
import { links } from '#web/lib/links.ts';
import { loginPath, signupPath } from '#web/lib/return-path.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogClose } from '#web/ui/dialog.tsx';

export interface SignInRequiredDialogProps {
  /** The listing to return to after signing in. */
  listing: Pick<Listing, 'slug'>;
  /** What the visitor wanted to do: to message the seller, or to start a deal in the dialog of this name. */
  dialog: string;
  onClose: () => void;
}

/** Shown to signed-out visitors instead of the dialog that messages the seller or starts a deal. */
export function SignInRequiredDialog({ listing, dialog, onClose }: SignInRequiredDialogProps) {
  const isMessage = dialog === 'message';
  const returnTo = `${links.listing(listing.slug)}?${isMessage ? 'message=1' : `deal=${dialog}`}`;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title="Sign in Required"
      description={
        isMessage
          ? 'You need to be logged in to message sellers. Please sign in or create an account to continue.'
          : 'You need to be logged in to make a deal. Please sign in or create an account to continue.'
      }
      actions={
        <>
          <DialogClose>
            <Button variant="ghost">Cancel</Button>
          </DialogClose>
          <Button variant="secondary" asChild>
            <Link to={loginPath(returnTo)}>Log In</Link>
          </Button>
          <Button asChild>
            <Link to={signupPath(returnTo)}>Sign Up</Link>
          </Button>
        </>
      }
    />
  );
}

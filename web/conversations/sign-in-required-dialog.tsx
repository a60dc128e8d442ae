import { Link } from 'react-router';
import type { Listing } from '#contract/listings.ts';
import { links } from '#web/lib/links.ts';
import { loginPath, signupPath } from '#web/lib/return-path.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogClose } from '#web/ui/dialog.tsx';

export interface SignInRequiredDialogProps {
  /** Signing in returns to this listing with the message dialog open. */
  listing: Pick<Listing, 'slug'>;
  onClose: () => void;
}

/** Shown to signed-out visitors instead of the message dialog. */
export function SignInRequiredDialog({ listing, onClose }: SignInRequiredDialogProps) {
  const returnTo = `${links.listing(listing.slug)}?message=1`;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title="Sign in Required"
      description="You need to be logged in to message sellers. Please sign in or create an account to continue."
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

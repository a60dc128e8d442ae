import { Link } from 'react-router';
import { loginPath, signupPath } from '#web/lib/return-path.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogClose } from '#web/ui/dialog.tsx';

export interface SignInRequiredDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The path to come back to after signing in. */
  returnTo: string;
}

/** What a signed-out reader sees instead of a message dialog. */
export function SignInRequiredDialog({ open, onOpenChange, returnTo }: SignInRequiredDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
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

import { Link } from 'react-router';
import { toLoginPath, toSignupPath } from '#web/lib/return-path.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Button } from './button.tsx';
import { Dialog, DialogClose } from './dialog.tsx';
import { SignOnButton } from './sign-on-button.tsx';

export interface SignInRequiredDialogProps {
  /** A sentence that says which action requires an account. */
  description: string;
  /** The path to return to after signing in. */
  returnTo: string;
  onClose: () => void;
}

/** Shown to signed-out visitors instead of an action that requires an account. */
export function SignInRequiredDialog({ description, returnTo, onClose }: SignInRequiredDialogProps) {
  const { signOn } = useCampus();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title="Sign in Required"
      description={description}
      actions={
        <>
          <DialogClose>
            <Button variant="ghost">Cancel</Button>
          </DialogClose>
          <Button variant="secondary" asChild>
            <Link to={toLoginPath(returnTo)}>Log In</Link>
          </Button>
          <Button asChild>
            <Link to={toSignupPath(returnTo)}>Sign Up</Link>
          </Button>
        </>
      }
    >
      {signOn && <SignOnButton name={signOn.name} from={returnTo} />}
    </Dialog>
  );
}

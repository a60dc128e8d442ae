import { Copy } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/toast.ts';
import { type AuthenticatorSetup, finishAuthenticatorSetup } from './second-factor-actions.ts';
import { AuthenticatorCodeForm } from './second-factor-step.tsx';

/**
 * Splits the secret into groups of four characters, which are easier to type. Authenticator apps ignore
 * the spaces.
 */
const formatSecret = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ');

/** Shows the QR code and the secret for an authenticator app, and asks for its first code. */
export function AuthenticatorForm({ setup, onDone }: { setup: AuthenticatorSetup; onDone: () => void }) {
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(setup.secret);
      toast.success('Key copied');
    } catch {
      toast.error('Your browser did not allow copying. Select the key instead.');
    }
  };
  return (
    <div className="flex flex-col gap-5">
      <ol className="flex list-decimal flex-col gap-1 pl-5 text-sm">
        <li>Open an authenticator app on your phone, such as the one that is built into it.</li>
        <li>Scan the QR code, or enter the key.</li>
        <li>Enter the code that the app shows.</li>
      </ol>
      <div className="flex flex-col items-center gap-4 sm:flex-row">
        <img
          src={setup.qrCode}
          alt="QR code for your authenticator app"
          width={176}
          height={176}
          className="size-44 shrink-0 rounded-md border border-line bg-white"
        />
        <div className="flex min-w-0 flex-col items-start gap-2 text-sm">
          <p className="font-semibold">Key</p>
          <p className="break-words font-mono">{formatSecret(setup.secret)}</p>
          <Button
            variant="secondary"
            size="sm"
            icon={<Copy aria-hidden="true" className="size-4" />}
            onClick={() => void copy()}
          >
            Copy key
          </Button>
        </div>
      </div>
      <AuthenticatorCodeForm
        submitLabel="Turn on"
        onVerify={async (code) => {
          const { error } = await finishAuthenticatorSetup(setup.factorId, code);
          if (!error) onDone();
          return error ? { error } : {};
        }}
      />
    </div>
  );
}

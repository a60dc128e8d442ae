import { type ReactNode, useEffect, useRef, useState } from 'react';
import { createCampusAddressSchema } from '#contract/accounts.ts';
import { type Campus, isCampusEmail } from '#contract/campus.ts';
import { formatErrorMessage } from '#contract/errors.ts';
import type { OwnProfile } from '#contract/profiles.ts';
import { CodeStep, codeAlreadySentMessage } from '#web/accounts/public.ts';
import { links } from '#web/lib/links.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { removeFormDraft, useFormDraft } from '#web/lib/use-form-draft.ts';
import { useIsSignOnConnected } from '#web/lib/use-is-sign-on-connected.ts';
import { Alert } from '#web/ui/alert.tsx';
import { VerifiedBadge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { StandaloneLink } from '#web/ui/text-link.tsx';
import { toast } from '#web/ui/toast.ts';
import { formatAwaitedSignOn } from './awaited-sign-on.ts';
import {
  removeCampusAddress,
  requestCampusAddressCode,
  verifyCampusAddress,
} from './campus-address-actions.ts';

type CampusAddressView =
  | 'added'
  | 'not needed'
  | 'membership ended'
  | 'badge removed'
  | 'sign-on'
  | 'sign-on, unverified address'
  | 'code'
  | 'form';

/**
 * Returns which view the section shows. An account that already has the verified badge needs no
 * additional campus email address.
 */
const chooseView = (profile: OwnProfile, campus: Campus): CampusAddressView => {
  const { campus_address: added } = profile;
  if (added?.verified_at) return 'added';
  if (profile.usc_verified) return 'not needed';
  // An account whose log-in address is a campus address has the badge unless its membership has ended, or an
  // administrator has removed it.
  if (isCampusEmail(campus, profile.email))
    return profile.membership?.has_ended ? 'membership ended' : 'badge removed';
  if (campus.signOn?.isRequired) return added ? 'sign-on, unverified address' : 'sign-on';
  return added ? 'code' : 'form';
};

/**
 * Lets a person whose log-in address is not a campus email address add one. Confirming it with an emailed
 * code gives the account the verified badge. Where the university's sign-on is required, only that gives it.
 */
export function CampusAddressSection({ profile }: { profile: OwnProfile }) {
  const campus = useCampus();
  // The unverified address that the person is replacing with a new one, or undefined unless they are entering
  // one.
  const [replaced, setReplaced] = useState<string>();
  // Whether a code was requested since the screen opened. Only then does the code input take the
  // focus.
  const [isCodeRequested, setIsCodeRequested] = useState(false);
  const [resendAfter, setResendAfter] = useState<number>();
  const view = replaced === undefined ? chooseView(profile, campus) : 'form';
  const box = useFocusAfterChange(view);
  const address = profile.campus_address?.email ?? '';
  return (
    <div ref={box} tabIndex={-1} className="outline-none">
      {view === 'not needed' && (
        <VerifiedNote>
          {isCampusEmail(campus, profile.email)
            ? `You log in with your ${campus.shortName} address, so there is nothing to add.`
            : 'You have the verified badge, so there is nothing to add.'}
        </VerifiedNote>
      )}
      {view === 'membership ended' && (
        <p className="text-ink-muted text-sm">{`You log in with your ${campus.shortName} address.`}</p>
      )}
      {view === 'badge removed' && <Alert tone="notice">{formatErrorMessage('badge_removed', campus)}</Alert>}
      {view.startsWith('sign-on') && <SignOnNote name={campus.signOn?.name ?? ''} />}
      {view === 'sign-on, unverified address' && (
        <div className="mt-4 flex flex-wrap items-center gap-x-4">
          <p className="min-w-0 break-words text-sm">{`${address} is not verified.`}</p>
          <CancelButton />
        </div>
      )}
      {view === 'added' && (
        <AddedAddress
          address={address}
          isVerified={profile.usc_verified}
          isMember={!profile.membership?.has_ended}
        />
      )}
      {view === 'code' && (
        <div className="max-w-sm">
          <CodeStep
            email={address}
            isJustSent={isCodeRequested}
            resendAfter={resendAfter}
            note="If the address can’t be added, the email says why."
            submitLabel="Verify"
            backLabel="Use another address"
            onBack={() => setReplaced(address)}
            onVerify={async (code) => {
              const result = await verifyCampusAddress(code);
              if (!result.error) toast.success(`Your ${campus.shortName} address is verified`);
              return result;
            }}
            onResend={() => requestCampusAddressCode(address)}
          />
          <CancelButton />
        </div>
      )}
      {view === 'form' && (
        <AddressForm
          loginEmail={profile.email}
          initialAddress={replaced}
          onSubmit={() => setIsCodeRequested(true)}
          onCodeSent={(seconds) => {
            setResendAfter(seconds);
            setReplaced(undefined);
          }}
        />
      )}
    </div>
  );
}

/**
 * Focuses the section after its content was replaced, because the control that was used has
 * disappeared. Does nothing if another control in the section already has the focus.
 */
const useFocusAfterChange = (view: CampusAddressView) => {
  const box = useRef<HTMLDivElement>(null);
  const previousView = useRef(view);
  useEffect(() => {
    if (previousView.current === view) return;
    previousView.current = view;
    if (!box.current?.contains(document.activeElement)) box.current?.focus();
  }, [view]);
  return box;
};

/** A button that removes the campus address for which a code was requested. */
function CancelButton() {
  const [isCanceling, setIsCanceling] = useState(false);
  const cancel = async (): Promise<void> => {
    setIsCanceling(true);
    const { error } = await removeCampusAddress();
    setIsCanceling(false);
    if (error) toast.error(error.message);
  };
  return (
    <Button variant="link" size="sm" loading={isCanceling} onClick={() => void cancel()}>
      Cancel
    </Button>
  );
}

/** Leads to the university's sign-on, or says that the badge follows from it. */
function SignOnNote({ name }: { name: string }) {
  const isConnected = useIsSignOnConnected();
  return (
    <p className="text-ink-muted text-sm">
      {isConnected ? (
        formatAwaitedSignOn(name)
      ) : (
        <StandaloneLink to={links.settings('security')}>
          {`Connect ${name} to get the verified badge`}
        </StandaloneLink>
      )}
    </p>
  );
}

function VerifiedNote({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <VerifiedBadge />
      <p className="text-ink-muted text-sm">{children}</p>
    </div>
  );
}

const formatResendWait = (seconds: number): string =>
  `You can request another code in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;

const draftName = 'campus-address';

interface AddressFormProps {
  loginEmail: string;
  initialAddress: string | undefined;
  onSubmit: () => void;
  /** Called after a code was emailed. `resendAfter` is passed if that was moments ago. */
  onCodeSent: (resendAfter?: number) => void;
}

function AddressForm({ loginEmail, initialAddress, onSubmit, onCodeSent }: AddressFormProps) {
  const campus = useCampus();
  const [failure, setFailure] = useState<string>();
  const form = useContractForm({
    schema: createCampusAddressSchema(campus),
    defaultValues: { email: initialAddress ?? '' },
  });
  const { register, handleSubmit, formState, showFieldErrors, submitButton } = form;
  useFormDraft(draftName, form);

  const submit = handleSubmit(async ({ email }) => {
    setFailure(undefined);
    onSubmit();
    const { error } = await requestCampusAddressCode(email);
    if (!error) {
      removeFormDraft(draftName);
      return onCodeSent();
    }
    if (error.resendAfter !== undefined) {
      if (email !== initialAddress) return setFailure(formatResendWait(error.resendAfter));
      toast.message(codeAlreadySentMessage);
      return onCodeSent(error.resendAfter);
    }
    if (!showFieldErrors(error.fields)) setFailure(error.message);
  });

  return (
    <form onSubmit={submit} noValidate className="flex max-w-md flex-col gap-4">
      <p className="text-ink-muted text-sm">
        <span>{`Add your @${campus.domain} address to get the verified badge. Nobody else sees the address, and you still log in with `}</span>
        <span className="break-words">{loginEmail}</span>.
      </p>
      {failure && <Alert tone="error">{failure}</Alert>}
      <Field label={`${campus.shortName} email`} error={formState.errors.email?.message} required>
        <Input
          type="email"
          inputMode="email"
          autoComplete="off"
          placeholder={`name@${campus.domain}`}
          {...register('email')}
        />
      </Field>
      <div>
        <Button {...submitButton} variant="secondary">
          Send Code
        </Button>
      </div>
    </form>
  );
}

interface AddedAddressProps {
  address: string;
  isVerified: boolean;
  /** False if the person has no badge because the membership has ended. */
  isMember: boolean;
}

function AddedAddress({ address, isVerified, isMember }: AddedAddressProps) {
  const campus = useCampus();
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  return (
    <div className="flex flex-col gap-4">
      {!isVerified && isMember && <Alert tone="notice">{formatErrorMessage('badge_removed', campus)}</Alert>}
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-2">
          <strong className="min-w-0 break-words">{address}</strong>
          {isVerified && <VerifiedBadge />}
        </p>
        {(isVerified || !isMember) && (
          <Button variant="secondary" onClick={() => setIsDialogOpen(true)}>
            Remove
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={isDialogOpen}
        onOpenChange={setIsDialogOpen}
        title={`Remove your ${campus.shortName} address?`}
        description="You lose the verified badge until you add an address again."
        confirmLabel="Remove"
        danger
        onConfirm={async () => {
          const { error } = await removeCampusAddress();
          if (!error) return;
          toast.error(error.message);
          throw new Error(error.message);
        }}
      />
    </div>
  );
}

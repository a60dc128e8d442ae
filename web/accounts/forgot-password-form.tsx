import { sendVerificationCodeSchema } from '#contract/accounts.ts';
import { type Campus, formatCampusEmailRequiredMessage, isCampusEmail } from '#contract/campus.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { toast } from '#web/ui/toast.ts';
import { describeForgotPasswordFailure } from './failure-messages.ts';
import { requestPasswordReset } from './session-actions.ts';

export interface ForgotPasswordFormProps {
  campus: Campus;
  onSent: (email: string) => void;
}

export function ForgotPasswordForm({ campus, onSent }: ForgotPasswordFormProps) {
  const { register, handleSubmit, formState, showFieldErrors, submitButton } = useContractForm({
    schema: sendVerificationCodeSchema,
    defaultValues: { email: '' },
  });

  const send = handleSubmit(async ({ email }) => {
    if (!isCampusEmail(campus, email)) {
      showFieldErrors({ email: formatCampusEmailRequiredMessage(campus) });
      return;
    }
    const { error } = await requestPasswordReset(email);
    if (!error) {
      toast.success(`If this ${campus.shortName} email exists, a reset link has been sent.`);
      onSent(email);
      return;
    }
    const { sentence, inline } = describeForgotPasswordFailure(error);
    if (inline) showFieldErrors({ email: sentence });
    else toast.error(sentence);
  });

  return (
    <form onSubmit={send} noValidate className="flex flex-col gap-5">
      <Field
        label="Email"
        hint={`Your @${campus.domain} address`}
        error={formState.errors.email?.message}
        required
      >
        <Input type="email" inputMode="email" autoComplete="username" {...register('email')} />
      </Field>
      <Button {...submitButton} wide>
        Send Reset Link
      </Button>
    </form>
  );
}

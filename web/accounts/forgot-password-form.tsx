import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { emailOnlySchema } from '#contract/accounts.ts';
import { type Campus, isCampusAddress, onlyCampusAddresses } from '#contract/campus.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { toast } from '#web/ui/toast.ts';
import { forgotFailure } from './failure-sentences.ts';
import { forgotPassword } from './session-actions.ts';

export interface ForgotPasswordFormProps {
  campus: Campus;
  onSent: (email: string) => void;
}

export function ForgotPasswordForm({ campus, onSent }: ForgotPasswordFormProps) {
  const { register, handleSubmit, formState, setError } = useForm({
    resolver: zodResolver(emailOnlySchema),
    defaultValues: { email: '' },
  });

  const send = handleSubmit(async ({ email }) => {
    if (!isCampusAddress(campus, email)) {
      setError('email', { message: onlyCampusAddresses(campus) }, { shouldFocus: true });
      return;
    }
    const { error } = await forgotPassword(email);
    if (!error) {
      toast.success(`If this ${campus.shortName} email exists, a reset link has been sent.`);
      onSent(email);
      return;
    }
    const { sentence, inline } = forgotFailure(error);
    if (inline) setError('email', { message: sentence }, { shouldFocus: true });
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
      <Button type="submit" wide loading={formState.isSubmitting}>
        Send Reset Link
      </Button>
    </form>
  );
}

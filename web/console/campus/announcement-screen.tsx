import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import {
  type Announcement,
  announcementErrorMessages,
  announcementFormSchema,
} from '#contract/announcements.ts';
import { auditReasonSchema } from '#contract/audit.ts';
import { consoleCalls } from '#contract/console-calls.ts';
import { type ApiError, request } from '#web/lib/api.ts';
import { formatCampusDateTime } from '#web/lib/format.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { removeFormDraft, useFormDraft } from '#web/lib/use-form-draft.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { PageSpinner } from '#web/ui/page-spinner.tsx';
import { Textarea } from '#web/ui/textarea.tsx';
import { toast } from '#web/ui/toast.ts';
import type { ConsoleScreenProps } from '../console-screen.ts';
import { ReasonDialog } from '../reason-dialog.tsx';

/** Shows and removes the announcement at the top of all pages, and publishes a new one. */
export function AnnouncementScreen({ ownId }: ConsoleScreenProps) {
  const campus = useCampus();
  const key = ['console-announcement', ownId];
  const [isRemoving, setIsRemoving] = useState(false);
  const { data, error, refetch } = useQuery(
    { queryKey: key, queryFn: () => request(consoleCalls.getAnnouncement, {}) },
    queryClient,
  );
  const store = (next: { announcement: Announcement | null }) => queryClient.setQueryData(key, next);
  const current = data?.announcement;
  return (
    <>
      <PageHeading className="mb-4!" subtitle="Shown at the top of every page between two times.">
        Announcement
      </PageHeading>
      {!data && !error && <PageSpinner />}
      {!data && error && (
        <LoadFailed onRetry={() => void refetch()}>Failed to load the announcement</LoadFailed>
      )}
      {current && (
        <Card padded className="mb-5">
          <p dir="auto" className="whitespace-pre-line break-words font-semibold">
            {current.text}
          </p>
          <p className="mt-2 text-ink-muted text-sm">{`${formatCampusDateTime(current.begins_at, campus)} to ${formatCampusDateTime(current.ends_at, campus)} (campus time)`}</p>
          <Button variant="secondary" size="sm" className="mt-3" onClick={() => setIsRemoving(true)}>
            Remove
          </Button>
        </Card>
      )}
      {data && <AnnouncementForm onSaved={store} replaces={current != null} />}
      {isRemoving && (
        <ReasonDialog
          title="Remove the announcement?"
          description="It disappears from all pages."
          confirmLabel="Remove"
          danger
          draftName="remove announcement"
          onClose={() => setIsRemoving(false)}
          onConfirm={async (reason) => {
            store(await request(consoleCalls.removeAnnouncement, { body: { reason } }));
            toast.success('Announcement removed');
          }}
        />
      )}
    </>
  );
}

const draftName = 'announcement';
const localTimeSchema = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)), { error: announcementErrorMessages.time });
const formSchema = z
  .object({
    text: announcementFormSchema.shape.text,
    begins_at: localTimeSchema,
    ends_at: localTimeSchema,
    reason: auditReasonSchema,
  })
  .refine(({ begins_at, ends_at }) => Date.parse(begins_at) < Date.parse(ends_at), {
    path: ['ends_at'],
    error: announcementErrorMessages.order,
  });

/** The form that publishes an announcement. Its times are in the time zone of this device. */
function AnnouncementForm({
  onSaved,
  replaces,
}: {
  onSaved: (next: { announcement: Announcement | null }) => void;
  replaces: boolean;
}) {
  const [failure, setFailure] = useState<string>();
  const form = useContractForm({
    schema: formSchema,
    defaultValues: { text: '', begins_at: '', ends_at: '', reason: '' },
    editing: 'clears',
  });
  useFormDraft(draftName, form);
  const { register, handleSubmit, formState, reset, submitButton, showFieldErrors } = form;
  const { errors } = formState;
  const submit = handleSubmit(async ({ begins_at, ends_at, ...rest }) => {
    setFailure(undefined);
    try {
      onSaved(
        await request(consoleCalls.setAnnouncement, {
          body: {
            ...rest,
            begins_at: new Date(begins_at).toISOString(),
            ends_at: new Date(ends_at).toISOString(),
          },
        }),
      );
      reset();
      removeFormDraft(draftName);
      toast.success('Announcement saved');
    } catch (error) {
      if (!showFieldErrors((error as ApiError).fields)) setFailure((error as Error).message);
    }
  });
  return (
    <Card padded>
      <form onSubmit={submit} noValidate className="flex flex-col items-start gap-4">
        <h2 className="font-extrabold text-lg">{replaces ? 'Replace it' : 'New announcement'}</h2>
        {failure && <Alert tone="error">{failure}</Alert>}
        <Field label="Text" error={errors.text?.message} className="w-full" required>
          <Textarea rows={2} maxLength={300} {...register('text')} />
        </Field>
        <div className="grid w-full gap-4 md:grid-cols-2">
          <Field label="From (your time zone)" error={errors.begins_at?.message} required>
            <Input type="datetime-local" {...register('begins_at')} />
          </Field>
          <Field label="Until (your time zone)" error={errors.ends_at?.message} required>
            <Input type="datetime-local" {...register('ends_at')} />
          </Field>
        </div>
        <Field
          label="Reason"
          hint="Kept in the audit log."
          error={errors.reason?.message}
          className="w-full"
          required
        >
          <Input autoComplete="off" {...register('reason')} />
        </Field>
        <Button {...submitButton}>Announce</Button>
      </form>
    </Card>
  );
}

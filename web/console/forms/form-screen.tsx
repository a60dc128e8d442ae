import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { consoleCalls, resumeDownloadPath } from '#contract/console-calls.ts';
import type { ConsoleFormDetail } from '#contract/console-forms.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { buildCallUrl, request } from '#web/lib/api.ts';
import { fetchFile, saveDownloadedFile } from '#web/lib/download.ts';
import { formatCampusDateTime, formatCount } from '#web/lib/format.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { toast } from '#web/ui/toast.ts';
import { BackToSection, ConsoleItemPlaceholder } from '../back-to-section.tsx';
import { consoleLinks } from '../console-sections.ts';
import { DescriptionList } from '../description-list.tsx';
import { ReasonDialog } from '../reason-dialog.tsx';
import { DeletionRequestPanel } from './deletion-request.tsx';
import { formKindLabels, getFormFieldLabel, getFormTitle } from './form-texts.ts';
import { ReplyForm } from './reply-form.tsx';

const getFormKey = (ownId: string, id: string) => ['console-form', ownId, id] as const;

/** Shows a submitted form: its fields, the replies to it, and the possible actions. */
export function SubmittedFormScreen({ ownId, id }: { ownId: string; id: string }) {
  const key = getFormKey(ownId, id);
  const { data, error, refetch } = useQuery(
    { queryKey: key, queryFn: () => request(consoleCalls.getForm, { params: { id } }) },
    queryClient,
  );
  const store = (form: ConsoleFormDetail) => queryClient.setQueryData(key, form);
  if (data) return <FormView form={data} store={store} reload={() => void refetch()} />;
  return <ConsoleItemPlaceholder section="forms" error={error} onRetry={() => void refetch()} />;
}

interface FormViewProps {
  form: ConsoleFormDetail;
  store: (form: ConsoleFormDetail) => void;
  reload: () => void;
}

function FormView({ form, store, reload }: FormViewProps) {
  const campus = useCampus();
  return (
    <>
      <PageHeading
        className="mb-4!"
        above={<BackToSection section="forms" />}
        actions={<StateButton form={form} store={store} />}
      >
        <bdi>{getFormTitle(form)}</bdi>
      </PageHeading>
      <div className="grid gap-5">
        <Card padded>
          <span className="flex flex-wrap gap-1.5">
            <Badge>{formKindLabels[form.kind]}</Badge>
            <Badge tone={form.done_at ? 'neutral' : 'brand'}>{form.done_at ? 'Done' : 'Open'}</Badge>
          </span>
          <DescriptionList
            facts={[
              ['Sent', formatCampusDateTime(form.created_at, campus)],
              ...form.fields.map(({ name, value }) => [getFormFieldLabel(name), value] as const),
              ['Account', <SenderLink key="sender" sender={form.sender} />],
            ]}
          />
          {form.resume && <ResumeButton formId={form.id} resume={form.resume} />}
        </Card>
        {form.kind === 'deletion-request' && <DeletionRequestPanel form={form} onDeleted={reload} />}
        <section aria-label="Answers" className="grid gap-3">
          <h2 className="font-extrabold text-lg">Answers</h2>
          {form.answers.map((reply) => (
            <Card key={reply.id} padded>
              <p className="text-ink-muted text-sm">{`${isolateDirection(reply.author ?? 'A former administrator')} · ${formatCampusDateTime(reply.created_at, campus)}`}</p>
              <p dir="auto" className="mt-2 whitespace-pre-line break-words">
                {reply.text}
              </p>
            </Card>
          ))}
          {form.email === null ? (
            <p className="text-ink-muted">The sender left no address, so this form cannot be answered.</p>
          ) : (
            <ReplyForm formId={form.id} email={form.email} onReplied={store} />
          )}
        </section>
      </div>
    </>
  );
}

function SenderLink({ sender }: Pick<ConsoleFormDetail, 'sender'>) {
  if (!sender) return 'Not signed in';
  return (
    <Link to={consoleLinks.person(sender.id)} className="break-all text-brand-text underline">
      {sender.email}
    </Link>
  );
}

function StateButton({ form, store }: Pick<FormViewProps, 'form' | 'store'>) {
  const [isOpen, setIsOpen] = useState(false);
  const done = form.done_at === null;
  const label = done ? 'Mark as done' : 'Open again';
  return (
    <>
      <Button variant="secondary" onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <ReasonDialog
          title={`${label}?`}
          description={
            done ? 'It leaves the list of open forms.' : 'It appears in the list of open forms again.'
          }
          confirmLabel={label}
          draftName={`${done ? 'finish' : 'reopen'} form ${form.id}`}
          onClose={() => setIsOpen(false)}
          onConfirm={async (reason) => {
            store(
              await request(consoleCalls.changeForm, { params: { id: form.id }, body: { done, reason } }),
            );
            toast.success(done ? 'Marked as done' : 'Opened again');
          }}
        />
      )}
    </>
  );
}

function ResumeButton({ formId, resume }: { formId: string; resume: { name: string; bytes: number } }) {
  const campus = useCampus();
  const [isLoading, setIsLoading] = useState(false);
  const download = async () => {
    setIsLoading(true);
    try {
      const address = buildCallUrl(resumeDownloadPath, { id: formId }, undefined);
      saveDownloadedFile(await fetchFile(address, () => {}, AbortSignal.timeout(60_000)));
    } catch (error) {
      toast.error('Failed to download the resume', (error as Error).message);
    }
    setIsLoading(false);
  };
  return (
    <Button
      variant="secondary"
      size="sm"
      className="mt-4 max-w-full"
      loading={isLoading}
      icon={<Download aria-hidden="true" className="size-4" />}
      onClick={() => void download()}
    >
      <span className="truncate">{`${resume.name} (${formatCount(Math.ceil(resume.bytes / 1000), campus)} KB)`}</span>
    </Button>
  );
}

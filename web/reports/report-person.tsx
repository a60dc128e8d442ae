import { Flag } from 'lucide-react';
import { isolateDirection } from '#contract/text-direction.ts';
import { ReportDialog } from '#web/forms/public.ts';
import { links } from '#web/lib/links.ts';
import { usePublicUrl } from '#web/lib/use-campus.ts';
import { useDialogOfAccount } from '#web/lib/use-dialog-of-account.ts';
import { useSession } from '#web/lib/use-session.ts';
import { Button } from '#web/ui/button.tsx';
import { lazyDialog } from '#web/ui/lazy-component.tsx';

const PersonReportDialog = lazyDialog(
  async () => (await import('./person-report-dialog.tsx')).PersonReportDialog,
);

/**
 * The button on a profile that reports the person. Signed-out visitors get a form that is sent by email
 * instead.
 */
export function ReportPersonButton({ person }: { person: { id: string; name: string } }) {
  const { user } = useSession();
  const publicUrl = usePublicUrl();
  const [opened, setOpened] = useDialogOfAccount();
  const close = () => setOpened(undefined);
  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        icon={<Flag aria-hidden="true" className="size-4" />}
        onClick={() => setOpened({ ownId: user?.id })}
      >{`Report ${isolateDirection(person.name)}`}</Button>
      {opened &&
        (opened.ownId ? (
          <PersonReportDialog person={person} ownId={opened.ownId} onClose={close} />
        ) : (
          <ReportDialog kind="person" itemLink={`${publicUrl}${links.user(person.id)}`} onClose={close} />
        ))}
    </>
  );
}

import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { calls } from '#contract/calls.ts';
import { generalErrorMessages } from '#contract/general-error-messages.ts';
import { getNumberFormat } from '#contract/number-format.ts';
import { ApiError } from '#web/lib/api.ts';
import { fetchFile, saveDownloadedFile } from '#web/lib/download.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/toast.ts';

/**
 * A button that downloads everything stored about the person as one file. It shows the progress, since the file may be
 * large.
 */
export function DownloadDataButton() {
  const campus = useCampus();
  const [bytes, setBytes] = useState<number>();
  const [failure, setFailure] = useState<string>();
  const unmountController = useRef(new AbortController());
  useEffect(() => {
    unmountController.current = new AbortController();
    return () => unmountController.current.abort();
  }, []);

  const download = async (): Promise<void> => {
    const { signal } = unmountController.current;
    setFailure(undefined);
    setBytes(0);
    try {
      saveDownloadedFile(await fetchFile(calls.downloadMyData.path, setBytes, signal));
      toast.success('Your data was downloaded');
    } catch (reason) {
      if (signal.aborted) return;
      setFailure(reason instanceof ApiError ? reason.message : generalErrorMessages.internal);
    }
    setBytes(undefined);
  };

  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="max-w-prose text-ink-muted text-sm">
          One file (JSON) with your profile, your settings, your listings with links to their photos, your
          conversations and the forms you sent.
        </p>
        <Button
          variant="secondary"
          icon={<Download aria-hidden="true" className="size-5" />}
          loading={bytes !== undefined}
          onClick={download}
        >
          Download my data
        </Button>
      </div>
      {bytes !== undefined && (
        <p role="status" className="figures text-ink-muted text-sm">
          {bytes === 0
            ? 'Gathering your data…'
            : `${getNumberFormat(campus.locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(bytes / 1_000_000)} MB so far…`}
        </p>
      )}
      {failure && <Alert tone="error">{failure}</Alert>}
    </div>
  );
}

import { Copy, Download } from 'lucide-react';
import { saveDownloadedFile } from '#web/lib/download.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/toast.ts';

/** Splits a recovery code into groups of four characters for reading. The server ignores the hyphens. */
const formatCode = (code: string): string => code.replace(/(.{4})(?=.)/g, '$1-');

/** New recovery codes, which are shown once, with buttons that copy and download them. */
export function RecoveryCodeList({ codes, email }: { codes: readonly string[]; email: string }) {
  const { siteName } = useCampus();
  const text = codes.map(formatCode).join('\n');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      toast.success('Recovery codes copied');
    } catch {
      toast.error('Your browser did not allow copying. Download the codes instead.');
    }
  };
  const download = () =>
    saveDownloadedFile({
      name: `${siteName.toLowerCase().replace(/\W+/g, '-')}-recovery-codes.txt`,
      content: new Blob([`${siteName} recovery codes of ${email}. Each works once.\n\n${text}\n`], {
        type: 'text/plain',
      }),
    });
  return (
    <div className="flex flex-col gap-4">
      <Alert tone="notice">
        These codes are shown only now. Keep them where you find them without your phone: each replaces the
        authenticator app once.
      </Alert>
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-1 gap-x-6 gap-y-1.5 rounded-md border border-line bg-raised p-4 font-mono text-sm sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{formatCode(code)}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button
          variant="secondary"
          icon={<Copy aria-hidden="true" className="size-5" />}
          onClick={() => void copy()}
        >
          Copy
        </Button>
        <Button
          variant="secondary"
          icon={<Download aria-hidden="true" className="size-5" />}
          onClick={download}
        >
          Download
        </Button>
      </div>
    </div>
  );
}

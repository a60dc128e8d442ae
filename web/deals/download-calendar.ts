import { fetchFile, saveDownloadedFile } from '#web/lib/download.ts';
import { toast } from '#web/ui/toast.ts';

/** Downloads a calendar file, and says that it does not follow later changes. */
export const downloadCalendar = async (path: string): Promise<void> => {
  try {
    saveDownloadedFile(await fetchFile(path, () => {}, new AbortController().signal));
    toast.success('Calendar file downloaded', 'If a time changes, add it to your calendar again.');
  } catch (reason) {
    toast.error((reason as Error).message);
  }
};

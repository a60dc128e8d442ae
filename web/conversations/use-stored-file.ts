import { useEffect, useState } from 'react';
import { getSessionSnapshot } from '#web/lib/session.ts';
import { findFile } from '#web/lib/stored-files.ts';

/** Returns an object URL of a file on this device, null when it is gone, and undefined while it is read. */
export const useStoredFile = (id: string): string | null | undefined => {
  const [url, setUrl] = useState<string | null>();
  useEffect(() => {
    let isCurrent = true;
    let created: string | undefined;
    const { user } = getSessionSnapshot();
    void (user ? findFile(user.id, id) : Promise.resolve(undefined)).then((file) => {
      if (!isCurrent) return;
      created = file && URL.createObjectURL(file);
      setUrl(created ?? null);
    });
    return () => {
      isCurrent = false;
      if (created) URL.revokeObjectURL(created);
    };
  }, [id]);
  return url;
};

import { useEffect, useRef, useState } from 'react';
import type { Thread } from './thread.ts';

/** Maximum number of messages read out at once; if more arrive, only their number is announced. */
const maxMessagesReadOut = 3;
const maxAnnouncements = 5;

export interface AnnouncerProps {
  thread: Thread;
  ownId: string;
  otherName: string;
}

/** Announces new messages of the other party to screen readers, but not those that were loaded. */
export function Announcer({ thread, ownId, otherName }: AnnouncerProps) {
  const announcedUpTo = useRef<number | undefined>(undefined);
  const [announcements, setAnnouncements] = useState<{ seq: number; text: string }[]>([]);
  const { loaded, stored } = thread;

  useEffect(() => {
    if (!loaded) return;
    const newest = stored.at(-1)?.seq ?? 0;
    const announced = announcedUpTo.current ?? newest;
    announcedUpTo.current = Math.max(announced, newest);
    const arrived = stored.filter(({ seq, sender_id }) => seq > announced && sender_id !== ownId);
    if (arrived.length === 0) return;
    const added =
      arrived.length > maxMessagesReadOut
        ? [{ seq: newest, text: `${arrived.length} new messages from ${otherName}` }]
        : arrived.map(({ seq, message_text }) => ({ seq, text: `${otherName}: ${message_text}` }));
    setAnnouncements((before) => [...before, ...added].slice(-maxAnnouncements));
  }, [loaded, stored, ownId, otherName]);

  return (
    <div aria-live="polite" aria-relevant="additions" className="sr-only">
      {announcements.map(({ seq, text }) => (
        <p key={seq}>{text}</p>
      ))}
    </div>
  );
}

import { useEffect, useRef, useState } from 'react';
import type { Thread } from './thread.ts';

/** More at once are counted rather than read out. */
const readOutAtMost = 3;
const linesKept = 5;

export interface AnnouncerProps {
  thread: Thread;
  ownId: string;
  otherName: string;
}

/** Has a screen reader say the messages of the other party as they come in; not those that were there already. */
export function Announcer({ thread, ownId, otherName }: AnnouncerProps) {
  const heardUpTo = useRef<number | undefined>(undefined);
  const [lines, setLines] = useState<{ seq: number; text: string }[]>([]);
  const { loaded, stored } = thread;

  useEffect(() => {
    if (!loaded) return;
    const newest = stored.at(-1)?.seq ?? 0;
    const heard = heardUpTo.current ?? newest;
    heardUpTo.current = Math.max(heard, newest);
    const news = stored.filter(({ seq, sender_id }) => seq > heard && sender_id !== ownId);
    if (news.length === 0) return;
    const said =
      news.length > readOutAtMost
        ? [{ seq: newest, text: `${news.length} new messages from ${otherName}` }]
        : news.map(({ seq, message_text }) => ({ seq, text: `${otherName}: ${message_text}` }));
    setLines((before) => [...before, ...said].slice(-linesKept));
  }, [loaded, stored, ownId, otherName]);

  return (
    <div aria-live="polite" aria-relevant="additions" className="sr-only">
      {lines.map(({ seq, text }) => (
        <p key={seq}>{text}</p>
      ))}
    </div>
  );
}

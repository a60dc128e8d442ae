import { useEffect, useRef, useState } from 'react';
import { isEventLine, type Thread } from './thread.ts';
import type { MessageFormatter } from './use-message-format.ts';
import { type WarningKind, warningMessages } from './warning-rules.ts';

/** Maximum number of messages read out at once; if more arrive, only their number is announced. */
const maxMessagesReadOut = 3;
const maxAnnouncements = 5;

export interface MessageAnnouncerProps {
  thread: Thread;
  ownId: string;
  otherName: string;
  format: MessageFormatter;
  findWarnings: (text: string) => WarningKind[];
}

/**
 * Announces the other party's new messages to screen readers. Messages that were loaded with the
 * thread are not announced.
 */
export function MessageAnnouncer({ thread, ownId, otherName, format, findWarnings }: MessageAnnouncerProps) {
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
        : arrived.map((message) => ({
            seq: message.seq,
            text: isEventLine(message)
              ? format(message)
              : [
                  `${otherName}: ${message.message_text}`,
                  ...findWarnings(message.message_text).map((kind) => warningMessages[kind]),
                ].join(' '),
          }));
    setAnnouncements((before) => [...before, ...added].slice(-maxAnnouncements));
  }, [loaded, stored, ownId, otherName, format, findWarnings]);

  return (
    <div aria-live="polite" aria-relevant="additions" className="sr-only">
      {announcements.map(({ seq, text }) => (
        <p key={seq}>{text}</p>
      ))}
    </div>
  );
}

import { clsx } from 'clsx';
import { ArrowDown } from 'lucide-react';
import { Fragment, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import type { Thread } from './thread.ts';
import { dayLabel, dayOf, messageTime } from './times.ts';

interface Bubble {
  key: string;
  own: boolean;
  text: string;
  at: string;
  onItsWay: boolean;
}

const bubblesOf = (thread: Thread, ownId: string): Bubble[] => [
  ...thread.stored.map((message) => ({
    key: message.client_id,
    own: message.sender_id === ownId,
    text: message.message_text,
    at: message.created_at,
    onItsWay: false,
  })),
  ...thread.pending.map((message) => ({
    key: message.client_id,
    own: true,
    text: message.message_text,
    at: message.created_at,
    onItsWay: true,
  })),
];

/** How close to the end counts as reading the newest, in pixels. */
const nearEnd = 80;

export interface MessageListProps {
  thread: Thread;
  ownId: string;
  otherName: string;
  loadOlder: () => Promise<void>;
}

/** The bubbles of a thread. It keeps to the newest message unless the reader has scrolled up. */
export function MessageList({ thread, ownId, otherName, loadOlder }: MessageListProps) {
  const box = useRef<HTMLElement>(null);
  const atEnd = useRef(true);
  const heightBefore = useRef(0);
  const [behind, setBehind] = useState(false);
  const [older, setOlder] = useState<'idle' | 'loading' | 'failed'>('idle');
  const bubbles = bubblesOf(thread, ownId);
  const firstKey = bubbles[0]?.key;
  const last = bubbles.at(-1);

  const toEnd = (): void => {
    const element = box.current;
    if (element) element.scrollTop = element.scrollHeight;
    setBehind(false);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new first bubble means older ones were added
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    if (!atEnd.current) element.scrollTop += element.scrollHeight - heightBefore.current;
    heightBefore.current = element.scrollHeight;
  }, [firstKey]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new last bubble is what moves the view
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    if (atEnd.current || last?.onItsWay) {
      atEnd.current = true;
      toEnd();
    } else if (last) {
      setBehind(true);
    }
    heightBefore.current = element.scrollHeight;
  }, [last?.key]);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    // A phone's keyboard opening or a growing input must not hide the newest message.
    const observer = new ResizeObserver(() => {
      if (atEnd.current) element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const fetchOlder = async (): Promise<void> => {
    if (older === 'loading' || !thread.more) return;
    setOlder('loading');
    try {
      await loadOlder();
      setOlder('idle');
    } catch {
      setOlder('failed');
    }
  };

  const onScroll = (): void => {
    const element = box.current;
    if (!element) return;
    heightBefore.current = element.scrollHeight;
    atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearEnd;
    if (atEnd.current) setBehind(false);
    if (element.scrollTop < 200 && older === 'idle') void fetchOlder();
  };

  const now = new Date();
  return (
    <div className="relative min-h-0 flex-1">
      <section
        ref={box}
        onScroll={onScroll}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard
        tabIndex={0}
        aria-label={`Messages with ${otherName}`}
        className="h-full overflow-y-auto overscroll-contain px-3 py-4 -outline-offset-3 [overflow-anchor:none] md:px-5"
      >
        {thread.more && (
          <div className="flex min-h-11 justify-center">
            {older === 'loading' ? (
              <Spinner size="sm" label="Loading earlier messages" />
            ) : (
              <Button variant="link" size="sm" onClick={() => void fetchOlder()}>
                {older === 'failed' ? 'Could not load earlier messages. Try again' : 'Earlier messages'}
              </Button>
            )}
          </div>
        )}
        <ol className="flex flex-col">
          {bubbles.map((bubble, index) => {
            const before = bubbles[index - 1];
            const newDay = !before || dayOf(before.at) !== dayOf(bubble.at);
            return (
              <Fragment key={bubble.key}>
                {newDay && (
                  <li className="my-4 text-center font-semibold text-ink-muted text-xs">
                    {dayLabel(bubble.at, now)}
                  </li>
                )}
                <MessageBubble
                  bubble={bubble}
                  name={bubble.own ? 'You' : otherName}
                  joined={!newDay && before?.own === bubble.own}
                />
              </Fragment>
            );
          })}
        </ol>
      </section>
      {behind && (
        <Button
          variant="secondary"
          size="sm"
          icon={<ArrowDown aria-hidden="true" className="size-4" />}
          className="absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full! shadow-md"
          onClick={() => {
            atEnd.current = true;
            toEnd();
          }}
        >
          New messages
        </Button>
      )}
      <Announcer thread={thread} ownId={ownId} otherName={otherName} />
    </div>
  );
}

function MessageBubble({ bubble, name, joined }: { bubble: Bubble; name: string; joined: boolean }) {
  return (
    <li className={clsx('flex flex-col', joined ? 'mt-1' : 'mt-3', bubble.own ? 'items-end' : 'items-start')}>
      <div
        className={clsx(
          'max-w-[85%] rounded-lg px-3.5 py-2 md:max-w-[75%]',
          bubble.own ? 'rounded-br-sm bg-brand text-on-brand' : 'rounded-bl-sm bg-sunken text-ink',
          bubble.onItsWay && 'opacity-70',
        )}
      >
        <span className="sr-only">{name}: </span>
        <p dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
          {bubble.text}
        </p>
        <p
          className={clsx(
            'figures mt-0.5 text-right text-xs',
            bubble.own ? 'text-on-brand/85' : 'text-ink-muted',
          )}
        >
          {bubble.onItsWay ? 'Sending…' : <time dateTime={bubble.at}>{messageTime(bubble.at)}</time>}
        </p>
      </div>
    </li>
  );
}

/** Reads a message of the other party aloud when it comes in; not those that were there already. */
function Announcer({ thread, ownId, otherName }: Omit<MessageListProps, 'loadOlder'>) {
  const newest = thread.stored.at(-1);
  const heardUpTo = useRef<number | undefined>(undefined);
  if (thread.loaded && heardUpTo.current === undefined) heardUpTo.current = newest?.seq ?? 0;
  const isNews = newest && newest.sender_id !== ownId && newest.seq > (heardUpTo.current ?? newest.seq);
  return (
    <p aria-live="polite" className="sr-only">
      {isNews ? `${otherName}: ${newest.message_text}` : ''}
    </p>
  );
}

import { ArrowDown, ChevronDown, ChevronUp } from 'lucide-react';
import {
  Fragment,
  type ReactNode,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Message } from '#contract/conversations.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Button } from '#web/ui/button.tsx';
import { collapseEarlierSteps, type EarlierSteps } from './earlier-steps.ts';
import { EventLine } from './event-line.tsx';
import { MessageBubble } from './message-bubble.tsx';
import { MessageWarning } from './message-warning.tsx';
import { cancelPhotoMessage } from './photo-uploads.ts';
import type { PhotoMessage, ThreadItem } from './thread.ts';
import { formatDayLabel, toDayKey } from './times.ts';
import type { ThreadWarnings } from './use-thread-warnings.ts';
import type { WarningKind } from './warning-rules.ts';

/**
 * Maximum distance from the newest message, in pixels, at which the list still follows new
 * messages.
 */
const followNewestThresholdPx = 80;
/** Scroll distance from the top, in pixels, below which older messages are loaded. */
const loadOlderThresholdPx = 200;

/** How long a message that the person jumped to is highlighted, in milliseconds. */
const highlightMs = 2000;

const loadOlderButtonLabels = {
  idle: 'Earlier messages',
  loading: 'Loading earlier messages',
  failed: 'Could not load earlier messages. Try again',
};

export interface MessageListProps {
  conversationId: string;
  /** The messages and event lines to display; never empty. */
  items: readonly ThreadItem[];
  otherName: string;
  /** Whether pending messages wait until the server is reachable. */
  waiting: boolean;
  warnings?: ThreadWarnings | undefined;
  more: boolean;
  /** Loads older messages, back to a seq if it is given. Resolves to whether the server has even older ones. */
  loadOlder: (backTo?: number) => Promise<boolean>;
  /** Begins a reply to a message. Undefined when the person may not write. */
  onReply?: ((message: Message) => void) | undefined;
  /** The key of the person's last message that the other party has read, if they share that. */
  seenKey?: string | undefined;
  /** Whether the last item is the newest message, and the view follows newer ones. */
  follows?: boolean | undefined;
  /** The seq of the message at which the list opens, once it is loaded. */
  targetSeq?: number | undefined;
  /** What follows the newest message. */
  children?: ReactNode;
}

/** The messages and event lines of a thread. The view follows the newest message unless the person has scrolled up. */
export function MessageList({
  conversationId,
  items,
  otherName,
  waiting,
  warnings,
  more,
  loadOlder,
  onReply,
  seenKey,
  follows = true,
  targetSeq,
  children,
}: MessageListProps) {
  const box = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const atEnd = useRef(targetSeq === undefined);
  const heightBefore = useRef(0);
  /** What `follows` was at the last rendering: the messages that lead up to the newest one are no new ones. */
  const followed = useRef(follows);
  /** The list's height when it was last observed, in pixels. */
  const viewHeight = useRef(0);
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const [behind, setBehind] = useState(false);
  const [older, setOlder] = useState<'idle' | 'loading' | 'failed'>('idle');
  /** The seq of the message that the person wants to see, until it is loaded. */
  const [wantedSeq, setWantedSeq] = useState<number>();
  const [highlightedSeq, setHighlightedSeq] = useState<number>();
  const olderButton = useRef<HTMLButtonElement>(null);
  const firstKey = items[0]?.key;
  const last = items.at(-1);
  const isLastPending = last?.kind === 'bubble' && last.pending;

  const toEnd = (): void => {
    const element = box.current;
    if (element) element.scrollTop = element.scrollHeight;
    setBehind(false);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new first item means older ones were added
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    if (!atEnd.current) element.scrollTop += element.scrollHeight - heightBefore.current;
    heightBefore.current = element.scrollHeight;
  }, [firstKey]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolling depends on the key of the last item
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    if (atEnd.current || isLastPending) {
      atEnd.current = true;
      toEnd();
    } else if (last && followed.current) {
      setBehind(true);
    }
    heightBefore.current = element.scrollHeight;
  }, [last?.key]);

  useLayoutEffect(() => {
    followed.current = follows;
  }, [follows]);

  useLayoutEffect(() => {
    if (targetSeq === undefined) return;
    setWantedSeq(targetSeq);
    setBehind(false);
  }, [targetSeq]);

  useEffect(() => {
    const element = box.current;
    if (!element || !content.current) return;
    // The newest message must stay visible when a phone's keyboard opens, the input grows or text
    // wraps differently.
    const observer = new ResizeObserver(() => {
      if (atEnd.current) element.scrollTop = element.scrollHeight;
      heightBefore.current = element.scrollHeight;
      viewHeight.current = element.clientHeight;
    });
    observer.observe(element);
    observer.observe(content.current);
    return () => observer.disconnect();
  }, []);

  const fetchOlder = async (): Promise<void> => {
    if (older === 'loading' || !more) return;
    setOlder('loading');
    try {
      const focused = document.activeElement === olderButton.current;
      const left = await loadOlder();
      if (focused && !left) box.current?.focus({ preventScroll: true });
      setOlder('idle');
    } catch {
      setOlder('failed');
    }
  };

  const onScroll = (): void => {
    const element = box.current;
    if (!element) return;
    // If the list has just shrunk, for example because the deal above it was loaded, the newest message
    // is out of view although the person did not scroll up. Ignore this scroll event; the ResizeObserver
    // runs next and scrolls back to the newest message.
    if (element.clientHeight !== viewHeight.current) return;
    heightBefore.current = element.scrollHeight;
    atEnd.current =
      follows && element.scrollHeight - element.scrollTop - element.clientHeight < followNewestThresholdPx;
    if (atEnd.current) setBehind(false);
    if (element.scrollTop < loadOlderThresholdPx && older === 'idle') void fetchOlder();
  };

  const loadOriginal = useEffectEvent(async (seq: number): Promise<void> => {
    setOlder('loading');
    try {
      await loadOlder(seq);
      setOlder('idle');
    } catch {
      setOlder('failed');
      setWantedSeq(undefined);
    }
  });
  const isWantedShown =
    wantedSeq !== undefined &&
    items.some((item) => item.kind === 'bubble' && item.message?.seq === wantedSeq);
  useLayoutEffect(() => {
    if (wantedSeq === undefined) return;
    if (!isWantedShown) return void loadOriginal(wantedSeq);
    const element = content.current?.querySelector<HTMLElement>(`[data-seq="${wantedSeq}"]`);
    atEnd.current = false;
    element?.scrollIntoView({ block: 'center' });
    element?.focus({ preventScroll: true });
    setHighlightedSeq(wantedSeq);
    setWantedSeq(undefined);
  }, [wantedSeq, isWantedShown]);
  useEffect(() => {
    if (highlightedSeq === undefined) return;
    const timer = setTimeout(() => setHighlightedSeq(undefined), highlightMs);
    return () => clearTimeout(timer);
  }, [highlightedSeq]);

  const cancel = useCallback(({ client_id }: PhotoMessage): void => {
    cancelPhotoMessage(client_id);
    // The pressed button disappears with its message.
    box.current?.focus({ preventScroll: true });
  }, []);

  const dismissWarning = (kinds: readonly WarningKind[]): void => {
    warnings?.dismiss(kinds);
    // The dismiss button that had the focus disappears with its warning, so move the focus to the list of
    // messages.
    box.current?.focus({ preventScroll: true });
  };

  const rows = collapseEarlierSteps(items, expanded);
  const toggle = ({ keys, isExpanded }: EarlierSteps): void => {
    // The button stays where it is, so do not follow the newest message.
    atEnd.current = false;
    const changed = new Set(expanded);
    for (const key of keys) isExpanded ? changed.delete(key) : changed.add(key);
    setExpanded(changed);
  };

  const now = new Date();
  const campus = useCampus();
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
        <div ref={content}>
          {more && (
            <div className="flex min-h-11 justify-center">
              <Button
                ref={olderButton}
                variant="link"
                size="sm"
                loading={older === 'loading'}
                onClick={() => void fetchOlder()}
              >
                {loadOlderButtonLabels[older]}
              </Button>
            </div>
          )}
          <ol className="flex flex-col">
            {rows.map((item, index) => {
              const before = rows[index - 1];
              const newDay = !before || toDayKey(before.at) !== toDayKey(item.at);
              const warningKinds = warnings?.byKey.get(item.key);
              return (
                <Fragment key={item.key}>
                  {newDay && (
                    <li className="mt-6 mb-1 text-center font-semibold text-ink-muted text-xs">
                      {formatDayLabel(item.at, now, campus)}
                    </li>
                  )}
                  {item.kind === 'earlier_steps' ? (
                    <EarlierStepsButton steps={item} onToggle={() => toggle(item)} />
                  ) : item.kind === 'event_line' ? (
                    <EventLine text={item.text} at={item.at} transition={item.transition} />
                  ) : (
                    <MessageBubble
                      name={item.own ? 'You' : otherName}
                      own={item.own}
                      text={item.text}
                      at={item.at}
                      conversationId={conversationId}
                      photos={item.photos}
                      outgoing={item.outgoing}
                      message={item.message}
                      clientId={item.clientId}
                      reply={item.reply}
                      replyName={item.isReplyToOwn ? 'You' : otherName}
                      isHighlighted={item.message !== undefined && item.message.seq === highlightedSeq}
                      onReply={onReply}
                      onShowOriginal={setWantedSeq}
                      state={!item.pending ? 'stored' : waiting ? 'waiting' : 'sending'}
                      joined={!newDay && before?.kind === 'bubble' && before.own === item.own}
                      onCancel={cancel}
                    />
                  )}
                  {item.key === seenKey && <li className="mt-0.5 text-right text-ink-muted text-xs">Seen</li>}
                  {warningKinds && (
                    <li>
                      <MessageWarning kinds={warningKinds} onDismiss={() => dismissWarning(warningKinds)} />
                    </li>
                  )}
                </Fragment>
              );
            })}
          </ol>
          {children}
        </div>
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
            // The pressed button disappears, so move the focus to the list of messages.
            box.current?.focus({ preventScroll: true });
          }}
        >
          New messages
        </Button>
      )}
    </div>
  );
}

function EarlierStepsButton({ steps, onToggle }: { steps: EarlierSteps; onToggle: () => void }) {
  const { keys, isExpanded } = steps;
  return (
    <li className="mt-1 flex justify-center">
      <Button
        variant="ghost"
        size="sm"
        className="text-ink-muted"
        aria-expanded={isExpanded}
        icon={
          isExpanded ? (
            <ChevronUp aria-hidden="true" className="size-4" />
          ) : (
            <ChevronDown aria-hidden="true" className="size-4" />
          )
        }
        onClick={onToggle}
      >
        {`${keys.length} earlier steps`}
      </Button>
    </li>
  );
}

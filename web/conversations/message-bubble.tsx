import { clsx } from 'clsx';
import { Clock } from 'lucide-react';
import { memo } from 'react';
import { messageTime } from './times.ts';

export interface MessageBubbleProps {
  /** The author, for screen readers. */
  name: string;
  own: boolean;
  text: string;
  at: string;
  /** `waiting`: not sent until the server is reachable. */
  state: 'stored' | 'sending' | 'waiting';
  /** Follows a message of the same person. */
  joined: boolean;
}

const looks = (own: boolean, state: MessageBubbleProps['state']): string => {
  if (!own) return 'rounded-bl-sm bg-sunken text-ink';
  return state === 'waiting'
    ? 'rounded-br-sm border border-brand-text border-dashed bg-brand-soft text-ink'
    : 'rounded-br-sm bg-brand text-on-brand';
};

const signs = { sending: 'Sending…', waiting: 'Waiting for connection' };

/** One message. Its text direction follows its content. */
export const MessageBubble = memo(({ name, own, text, at, state, joined }: MessageBubbleProps) => (
  <li className={clsx('flex flex-col', joined ? 'mt-1' : 'mt-3', own ? 'items-end' : 'items-start')}>
    <div className={clsx('max-w-[85%] rounded-lg px-3.5 py-2 md:max-w-[75%]', looks(own, state))}>
      <span className="sr-only">
        <bdi>{name}</bdi>:{' '}
      </span>
      <p dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
        {text}
      </p>
      <p className="figures mt-0.5 flex items-center justify-end gap-1 text-xs opacity-85">
        {state === 'waiting' && <Clock aria-hidden="true" className="size-3.5" />}
        {state === 'stored' ? <time dateTime={at}>{messageTime(at)}</time> : signs[state]}
      </p>
    </div>
  </li>
));

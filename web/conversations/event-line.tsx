import {
  ArrowLeftRight,
  CalendarCheck,
  CalendarClock,
  CalendarPlus,
  CircleCheck,
  CircleSlash,
  CircleX,
  Clock,
  Flag,
  Gift,
  Handshake,
  Hourglass,
  Info,
  type LucideIcon,
  MapPin,
  PackageCheck,
  Tag,
  TimerReset,
  TriangleAlert,
  Undo2,
  UserX,
} from 'lucide-react';
import { memo } from 'react';
import type { DealTransitionName } from '#contract/deal-transitions.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { TextWithTimes } from '#web/ui/text-with-times.tsx';
import { formatMessageTime } from './times.ts';

const icons: Record<DealTransitionName, LucideIcon> = {
  offer: Tag,
  claim: Gift,
  confirm_sale: CircleCheck,
  counter: ArrowLeftRight,
  accept: Handshake,
  decline: CircleX,
  withdraw: Undo2,
  expire: Hourglass,
  propose_handover: CalendarClock,
  agree_handover: CalendarCheck,
  agreed_in_chat: TimerReset,
  keep_hold: TimerReset,
  renew: TimerReset,
  here: MapPin,
  running_late: Clock,
  handed_over: PackageCheck,
  transferred: ArrowLeftRight,
  received: PackageCheck,
  object: TriangleAlert,
  confirm: CircleCheck,
  cancel: CircleX,
  report_no_show: UserX,
  contest: Flag,
  lapse: Hourglass,
  extend: CalendarPlus,
  accept_extension: CalendarCheck,
  decline_extension: CircleX,
  propose_extra_price: Tag,
  accept_extra_price: Handshake,
  decline_extra_price: CircleX,
  returned: PackageCheck,
  end: CircleSlash,
  end_rental: CircleSlash,
};

export interface EventLineProps {
  text: string;
  at: string;
  /** The deal transition that the line reports, or null if this version of the code does not know it. */
  transition: DealTransitionName | null;
}

/** A line between the messages of a thread that reports a transition of a deal. */
export const EventLine = memo(({ text, at, transition }: EventLineProps) => {
  const campus = useCampus();
  const Icon = (transition && icons[transition]) ?? Info;
  return (
    <li className="mt-3 flex justify-center py-0.5 text-sm">
      <p className="max-w-[90%] text-balance text-center md:max-w-[85%]">
        <Icon aria-hidden="true" className="mr-1.5 inline size-4 align-[-0.175em] text-brand-text" />
        <span className="[overflow-wrap:anywhere]">
          <TextWithTimes text={text} />
        </span>{' '}
        <time dateTime={at} className="figures ml-1 whitespace-nowrap text-ink-muted text-xs">
          {formatMessageTime(at, campus)}
        </time>
      </p>
    </li>
  );
});

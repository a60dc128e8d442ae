import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type DateRange, DayPicker, type Modifiers, useDayPicker, type WeekProps } from 'react-day-picker';
import type { CampusLocale } from '#contract/campus.ts';
import { getDateFormat } from '#contract/date-format.ts';
import { getFirstWeekday } from '#contract/weekdays.ts';
import { useCampus } from '#web/lib/use-campus.ts';

/** A range of calendar days (YYYY-MM-DD), both inclusive. */
export interface CalendarDayRange {
  first: string;
  last: string;
}

interface MonthProps {
  /** The first day that can be chosen, and the last one. */
  from: string;
  to: string;
  /** The current day on the campus, which is marked. */
  today: string;
  /** Days that cannot be chosen. */
  taken?: readonly CalendarDayRange[] | undefined;
  /** Notes about days (YYYY-MM-DD), such as the hours that are taken. Such days are marked, and their names contain the notes. */
  notes?: ReadonlyMap<string, string> | undefined;
}

type RangeProps = MonthProps & {
  chosen: Partial<CalendarDayRange>;
  onChoose: (days: Partial<CalendarDayRange>) => void;
};

/** `chosen` is empty while no day is chosen; choosing the chosen day again clears the choice. */
type DayProps = MonthProps & { chosen: string; onChoose: (day: string) => void };
/** Days that nobody chooses: those that are free, and those that are taken. */
type FreeDaysProps = MonthProps;

export type CalendarProps =
  | ({ mode: 'range' } & RangeProps)
  | ({ mode: 'day' } & DayProps)
  | ({ mode: 'free-days' } & FreeDaysProps);

// The calendar works with dates in the browser's time zone, of which only the calendar day is used.
const toDate = (day: string): Date => new Date(`${day}T00:00:00`);
const toDay = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');

const button =
  'grid size-11 place-items-center rounded-md hover:bg-hover disabled:cursor-not-allowed disabled:opacity-40 aria-disabled:opacity-40';
const classNames = {
  months: 'relative',
  month: 'flex flex-col gap-1',
  month_caption: 'flex h-11 items-center justify-center font-bold',
  nav: 'absolute inset-x-0 top-0 flex justify-between',
  button_previous: button,
  button_next: button,
  month_grid: 'w-full border-collapse',
  weekdays: 'flex',
  weekday: 'flex-1 py-1 text-center font-semibold text-ink-muted text-xs',
  week: 'mt-0.5 flex',
  day: 'flex-1 p-0',
  day_button:
    'figures h-11 w-full rounded-md hover:bg-hover disabled:cursor-not-allowed disabled:hover:bg-transparent',
  today: 'font-bold [&>button]:underline [&>button]:underline-offset-4',
  outside: 'invisible',
  disabled: 'text-ink-muted line-through opacity-60',
  range_start: '[&>button]:bg-brand [&>button]:text-on-brand [&>button]:hover:bg-brand-hover',
  range_end: '[&>button]:bg-brand [&>button]:text-on-brand [&>button]:hover:bg-brand-hover',
  range_middle: 'bg-brand-soft',
};
const noteClass = 'underline decoration-dotted underline-offset-4';

/** Returns the accessible name of a day's button, which must contain the visible number. */
const createDayLabel =
  (locale: string, notes: MonthProps['notes']) =>
  (date: Date, { selected, today, disabled }: Modifiers = {}): string =>
    [
      getDateFormat(locale, { dateStyle: 'full' }).format(date),
      today && 'today',
      selected && 'selected',
      disabled ? 'not available' : notes?.get(toDay(date)),
    ]
      .filter(Boolean)
      .join(', ');

const Chevron = ({ orientation }: { orientation?: string }) =>
  orientation === 'left' ? (
    <ChevronLeft aria-hidden="true" className="size-5" />
  ) : (
    <ChevronRight aria-hidden="true" className="size-5" />
  );

/** Returns the props that both kinds of calendars pass to the calendar library. */
const getMonthProps = ({ from, to, today, taken = [], notes }: MonthProps, { locale }: CampusLocale) => ({
  classNames,
  components: { Chevron },
  labels: { labelDayButton: createDayLabel(locale, notes), labelGridcell: createDayLabel(locale, notes) },
  modifiers: { noted: [...(notes?.keys() ?? [])].map(toDate) },
  modifiersClassNames: { noted: noteClass },
  weekStartsOn: (getFirstWeekday(locale) % 7) as 0 | 1 | 2 | 3 | 4 | 5 | 6,
  today: toDate(today),
  startMonth: toDate(from),
  endMonth: toDate(to),
  disabled: [
    { before: toDate(from) },
    { after: toDate(to) },
    ...taken.map(({ first, last }) => ({ from: toDate(first), to: toDate(last) })),
  ],
  className: 'mx-auto w-full max-w-sm',
});

/** A week of the calendar, which is hidden once it has passed. */
function CurrentWeek({ week, ...rest }: WeekProps) {
  const { today } = useDayPicker().dayPickerProps;
  const hasPassed = today && week.days.every(({ date }) => date < today);
  return <tr {...rest} hidden={hasPassed} />;
}

/** All months in one column that scrolls, beginning with the current week. */
const getRangeProps = ({ chosen, from, to, onChoose }: RangeProps) => ({
  mode: 'range' as const,
  excludeDisabled: true,
  numberOfMonths: countMonths(from, to),
  hideNavigation: true,
  components: { Week: CurrentWeek },
  defaultMonth: toDate(from),
  className: 'mx-auto max-h-72 w-full max-w-sm overflow-y-auto overscroll-contain border-line border-b',
  selected: chosen.first
    ? { from: toDate(chosen.first), to: chosen.last ? toDate(chosen.last) : undefined }
    : undefined,
  onSelect: (range: DateRange | undefined) =>
    onChoose({
      ...(range?.from && { first: toDay(range.from) }),
      ...(range?.to && { last: toDay(range.to) }),
    }),
});

/** Returns the number of months between two days, both included. */
const countMonths = (from: string, to: string): number => {
  const [first, last] = [toDate(from), toDate(to)];
  return (last.getFullYear() - first.getFullYear()) * 12 + last.getMonth() - first.getMonth() + 1;
};

const getDayProps = ({ chosen, from, onChoose }: DayProps) => {
  const selected = chosen ? toDate(chosen) : undefined;
  return {
    mode: 'single' as const,
    defaultMonth: selected ?? toDate(from),
    selected,
    // A single chosen day has the same style as the first day of a range.
    modifiers: { range_start: selected },
    onSelect: (date: Date | undefined) => onChoose(date ? toDay(date) : ''),
  };
};

const modeProps = {
  day: getDayProps,
  range: getRangeProps,
  'free-days': ({ from }: FreeDaysProps) => ({
    defaultMonth: toDate(from),
    classNames: { ...classNames, day: 'figures h-11 flex-1 content-center text-center' },
  }),
};

/** A calendar in which one day or a range of days is chosen, or that only shows days. A range never contains taken days. */
export function Calendar(props: CalendarProps) {
  return <DayPicker {...getMonthProps(props, useCampus())} {...modeProps[props.mode](props as never)} />;
}

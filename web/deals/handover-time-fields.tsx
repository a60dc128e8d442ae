import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import { type UseFormReturn, useFieldArray, useWatch } from 'react-hook-form';
import type { CampusTimes } from '#contract/campus.ts';
import { addDays } from '#contract/days.ts';
import { maxProposedTimes } from '#contract/deal-event-lines.ts';
import type { DealTransitionBody } from '#contract/deals.ts';
import { findSpotWarning, type MeetingSpot } from '#contract/meeting-spots.ts';
import { findDifferingCampusTimeZoneName } from '#web/lib/campus-time-zone.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { FormAlert } from '#web/ui/form-alert.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Select, type SelectOption } from '#web/ui/select.tsx';
import { listDayOptions, listQuarterHours, listTimeOptions, toCampusInstant } from './campus-times.ts';
import type { HandoverDayRange } from './handover-days.ts';
import { formatBriefHandoverTime } from './handover-times.ts';

export interface HandoverTime {
  /** The day (YYYY-MM-DD) and the time (HH:MM) on campus. */
  day: string;
  time: string;
  /** Whether the person chooses day and time from lists, and not from the usual times. */
  isOther?: boolean;
}

export interface HandoverValues {
  spot: string;
  place: string;
  times: HandoverTime[];
}

/**
 * Returns the wanted time, or the nearest time that can be offered on that day if the wanted one is too early or
 * too late.
 */
export const findPossibleTime = (
  day: string,
  wanted: string,
  days: HandoverDayRange,
  campus: CampusTimes,
  now = new Date(),
): string => {
  const options = listTimeOptions(day, campus, now, days);
  return (options.find(({ value }) => value >= wanted) ?? options.at(-1))?.value ?? wanted;
};

/** Maximum number of usual times. */
const maxUsualTimes = 6;
const usualHours = ['12:00', '17:00'];

/** Returns the usual times to meet that are possible, earliest first. */
const listUsualTimes = (days: HandoverDayRange, campus: CampusTimes, now: Date): HandoverTime[] => {
  const times: HandoverTime[] = [];
  for (let day = days.first; day <= days.last && times.length < maxUsualTimes; day = addDays(day, 1)) {
    const possible = new Set(listTimeOptions(day, campus, now, days).map(({ value }) => value));
    for (const time of usualHours) if (possible.has(time)) times.push({ day, time });
  }
  return times.slice(0, maxUsualTimes);
};

const isSameTime = (a: HandoverTime, b: HandoverTime): boolean => a.day === b.day && a.time === b.time;

/** Adds the chosen option if it is no longer offered, for example because its time has passed. */
const withChosen = (options: readonly SelectOption[], chosen: SelectOption | undefined) =>
  !chosen || options.some(({ value }) => value === chosen.value) ? options : [chosen, ...options];

interface HandoverTimeFieldsProps {
  form: Pick<
    UseFormReturn<HandoverValues, unknown, DealTransitionBody>,
    'control' | 'register' | 'setValue' | 'formState'
  >;
  days: HandoverDayRange;
  /** The day of a new time. */
  suggestedDay: string;
  spot: MeetingSpot | undefined;
}

/** The days and times of a suggestion to meet. Only times that the server accepts are offered. */
export function HandoverTimeFields({ form, days, suggestedDay, spot }: HandoverTimeFieldsProps) {
  const { control, register, setValue, formState } = form;
  const { fields, append, remove } = useFieldArray({ control, name: 'times' });
  const times = useWatch({ control, name: 'times' });
  const campus = useCampus();
  const noteId = useId();
  const now = new Date();
  const isFirstDayOver =
    days.first < days.last && listTimeOptions(days.first, campus, now, days).length === 0;
  const dayOptions = listDayOptions(
    isFirstDayOver ? addDays(days.first, 1) : days.first,
    days.last,
    campus,
    now,
  );
  const usualTimes = listUsualTimes(days, campus, now);
  const isInList = (it: HandoverTime) => it.isOther || !usualTimes.some((usual) => isSameTime(usual, it));
  const listed = fields
    .map((field, index) => ({ field, index }))
    .filter(({ field, index }) => isInList(times[index] ?? field));
  const isFull = fields.length >= maxProposedTimes;
  const error = formState.errors.times?.message;
  const toInstant = ({ day, time }: HandoverTime) => toCampusInstant(day, time, campus);
  const warning =
    spot && times.map((it) => findSpotWarning(spot, new Date(toInstant(it)), campus)).find(Boolean);
  const timeZoneName = findDifferingCampusTimeZoneName(
    campus,
    [days.first, days.last].map((day) => toInstant({ day, time: '12:00' })),
  );
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1.5 font-semibold text-sm">When</legend>
      <div className="flex flex-wrap gap-2">
        {usualTimes.map((usual) => {
          const index = times.findIndex((it) => isSameTime(it, usual));
          return (
            <Chip
              key={`${usual.day} ${usual.time}`}
              pressed={index >= 0}
              disabled={isFull && index < 0}
              onClick={() => (index < 0 ? append(usual, { shouldFocus: false }) : remove(index))}
            >
              {formatBriefHandoverTime(toInstant(usual), campus, now)}
            </Chip>
          );
        })}
        {!isFull && (
          <Chip
            variant="ghost"
            icon={<Plus aria-hidden="true" className="size-4" />}
            onClick={() =>
              append({
                day: suggestedDay,
                time: findPossibleTime(suggestedDay, '15:00', days, campus, now),
                isOther: true,
              })
            }
          >
            Another time
          </Chip>
        )}
      </div>
      {listed.map(({ field, index }, position) => {
        const { day, time } = times[index] ?? field;
        const isPast = Boolean(error) && Date.parse(toInstant({ day, time })) <= now.getTime();
        const invalid = isPast && { 'aria-invalid': true, 'aria-describedby': `${noteId}-${index}` };
        return (
          <div key={field.id}>
            <div className="flex items-center gap-2">
              <Select
                aria-label={`Day ${position + 1}`}
                options={withChosen(dayOptions, listDayOptions(day, day, campus, now)[0])}
                value={day}
                {...invalid}
                {...register(`times.${index}.day`, {
                  onChange: ({ target }) =>
                    setValue(`times.${index}.time`, findPossibleTime(target.value, time, days, campus)),
                })}
              />
              <Select
                aria-label={`Time ${position + 1}`}
                options={withChosen(
                  listTimeOptions(day, campus, now, days),
                  listQuarterHours(campus).find(({ value }) => value === time),
                )}
                className="figures"
                value={time}
                {...invalid}
                {...register(`times.${index}.time`)}
              />
              <IconButton label={`Remove time ${position + 1}`} onClick={() => remove(index)}>
                <X aria-hidden="true" />
              </IconButton>
            </div>
            {isPast && (
              <p id={`${noteId}-${index}`} className="mt-1 text-danger text-sm">
                This time has passed.
              </p>
            )}
          </div>
        );
      })}
      <FormAlert>{error}</FormAlert>
      {warning && <Alert tone="notice">{warning}</Alert>}
      {timeZoneName && <p className="text-ink-muted text-xs">{`Times are campus time (${timeZoneName}).`}</p>}
    </fieldset>
  );
}

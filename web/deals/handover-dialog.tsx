import { useQuery } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import { Controller, useFieldArray, useWatch } from 'react-hook-form';
import { addDays } from '#contract/days.ts';
import { maxProposedTimes } from '#contract/deal-lines.ts';
import { findSpotWarning, listSpotFacts, type MeetingSpot } from '#contract/meeting-spots.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { FormAlert } from '#web/ui/form-alert.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Input } from '#web/ui/input.tsx';
import { RadioGroup, type RadioOption } from '#web/ui/radio-group.tsx';
import { Select } from '#web/ui/select.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import {
  findDifferingCampusTimeZoneName,
  listDayOptions,
  timeOfDayOptions,
  toCampusInstant,
} from './campus-times.ts';
import { DealFormDialog } from './deal-form-dialog.tsx';
import { getHandoverDayRange } from './handover-days.ts';
import { meetingSpotsQuery } from './meeting-spots.ts';
import type { TransitionDialogProps } from './transition-dialog-props.ts';
import { useDealTransitionForm } from './use-deal-transition-form.ts';

/** The option for a place that is not a meeting spot. */
const otherPlace = 'other';
const defaultTime = '12:00';

interface HandoverValues {
  spot: string;
  place: string;
  times: { day: string; time: string }[];
}

const toSpotOption = (spot: MeetingSpot): RadioOption => {
  const { landmark, ...facts } = spot;
  const hint = [landmark, ...listSpotFacts(facts)].filter(Boolean).join(' · ');
  return { value: spot.id, label: spot.name, ...(hint && { hint }) };
};

/** The dialog for suggesting a place and up to three times to meet. */
export function SuggestHandoverDialog({ deal, ownId, otherName, onClose }: TransitionDialogProps) {
  const formId = useId();
  const { isPending, data } = useQuery(meetingSpotsQuery, queryClient);
  // If the list of spots cannot be loaded, a place can still be typed.
  const spots = data?.items ?? [];
  const campus = useCampus();
  const now = new Date();
  const days = getHandoverDayRange(deal, campus, now);
  const latest = deal.handover?.proposal ?? deal.handover;
  // Until the person chooses a spot, the spot of the latest suggestion is selected, unless it has
  // been removed since.
  const findSpot = (chosen: string): MeetingSpot | undefined =>
    chosen || latest ? spots.find(({ id }) => id === (chosen || latest?.spot_id)) : spots[0];
  const laterDay = addDays(days.first, 1);
  const suggestedDay = laterDay <= days.last ? laterDay : days.first;
  const { register, control, errors, formProps, isSending } = useDealTransitionForm<HandoverValues>({
    transition: 'propose_handover',
    deal,
    ownId,
    defaultValues: {
      spot: '',
      place: latest && !latest.spot_id ? latest.place : '',
      times: [{ day: suggestedDay, time: defaultTime }],
    },
    toData: ({ spot: chosen, place, times }) => {
      const spot = findSpot(chosen);
      return {
        ...(spot ? { spot_id: spot.id } : { place }),
        times: times.map(({ day, time }) => toCampusInstant(day, time, campus)),
      };
    },
    onClose,
  });
  const { fields, append, remove } = useFieldArray({ control, name: 'times' });
  const [spotId, times] = useWatch({ control, name: ['spot', 'times'] });
  const spot = findSpot(spotId);
  const warning =
    spot &&
    times
      .map(({ day, time }) => findSpotWarning(spot, new Date(toCampusInstant(day, time, campus)), campus))
      .find(Boolean);
  const dayOptions = listDayOptions(days.first, days.last, campus, now);
  const timeZoneName = findDifferingCampusTimeZoneName(
    campus,
    [days.first, days.last].map((day) => toCampusInstant(day, defaultTime, campus)),
  );

  return (
    // Render the same dialog element before and after its content is loaded, so that it keeps the focus.
    <DealFormDialog
      title="Suggest a time and place"
      description={`${otherName} can pick one of your times with one tap.`}
      formId={formId}
      submitLabel="Send suggestion"
      sending={isSending || isPending}
      onClose={onClose}
    >
      {isPending ? (
        <div className="grid place-items-center py-10">
          <Spinner label="Loading meeting spots" />
        </div>
      ) : (
        <form id={formId} {...formProps} className="flex flex-col gap-5">
          {spots.length > 0 && (
            <Field label="Where">
              <Controller
                control={control}
                name="spot"
                render={({ field }) => (
                  <RadioGroup
                    value={spot?.id ?? otherPlace}
                    onValueChange={field.onChange}
                    options={[...spots.map(toSpotOption), { value: otherPlace, label: 'Somewhere else' }]}
                  />
                )}
              />
            </Field>
          )}
          {!spot && (
            <Field
              label="Place"
              hint="A public place where people are around is safest."
              error={errors.place?.message}
              required
            >
              <Input placeholder="In front of the library" {...register('place')} />
            </Field>
          )}
          <fieldset className="flex min-w-0 flex-col gap-2">
            <legend className="mb-1.5 font-semibold text-sm">When</legend>
            {fields.map((field, index) => (
              <div key={field.id} className="flex items-center gap-2">
                <Select
                  aria-label={`Day ${index + 1}`}
                  options={dayOptions}
                  {...register(`times.${index}.day`)}
                />
                <Select
                  aria-label={`Time ${index + 1}`}
                  options={timeOfDayOptions}
                  className="figures"
                  {...register(`times.${index}.time`)}
                />
                {fields.length > 1 && (
                  <IconButton label={`Remove time ${index + 1}`} onClick={() => remove(index)}>
                    <X aria-hidden="true" />
                  </IconButton>
                )}
              </div>
            ))}
            <FormAlert>{errors.times?.message}</FormAlert>
            {warning && <Alert tone="notice">{warning}</Alert>}
            {timeZoneName && (
              <p className="text-ink-muted text-xs">Times are campus time ({timeZoneName}).</p>
            )}
            {fields.length < maxProposedTimes && (
              <Button
                variant="ghost"
                size="sm"
                className="self-start"
                icon={<Plus aria-hidden="true" className="size-4" />}
                onClick={() => append({ day: suggestedDay, time: '17:00' })}
              >
                Add another time
              </Button>
            )}
          </fieldset>
        </form>
      )}
    </DealFormDialog>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Controller, useWatch } from 'react-hook-form';
import { addDays } from '#contract/days.ts';
import { listSpotFacts, type MeetingSpot } from '#contract/meeting-spots.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { RadioGroup, type RadioOption } from '#web/ui/radio-group.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { toCampusInstant } from './campus-times.ts';
import { DealFormDialog } from './deal-form-dialog.tsx';
import { getHandoverDayRange } from './handover-days.ts';
import { findPossibleTime, HandoverTimeFields, type HandoverValues } from './handover-time-fields.tsx';
import { meetingSpotsQuery } from './meeting-spots.ts';
import type { TransitionDialogProps } from './transition-dialog-props.ts';
import { useDealTransitionForm } from './use-deal-transition-form.ts';

/** The option for a place that is not a meeting spot. */
const otherPlace = 'other';

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
  const form = useDealTransitionForm<HandoverValues>({
    transition: 'propose_handover',
    deal,
    ownId,
    defaultValues: {
      spot: '',
      place: latest && !latest.spot_id ? latest.place : '',
      times: [{ day: suggestedDay, time: findPossibleTime(suggestedDay, '12:00', days, campus) }],
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
  const { register, control, errors, formProps, isSending } = form;
  const spot = findSpot(useWatch({ control, name: 'spot' }));

  return (
    // Render the same dialog element before and after its content is loaded, so that it keeps the focus.
    <DealFormDialog
      title="Suggest a time and place"
      description={`${isolateDirection(otherName)} can pick one of your times with one tap.`}
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
          <HandoverTimeFields form={form} days={days} suggestedDay={suggestedDay} spot={spot} />
        </form>
      )}
    </DealFormDialog>
  );
}

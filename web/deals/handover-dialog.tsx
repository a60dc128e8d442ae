import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronUp, MapPin } from 'lucide-react';
import { type MouseEvent, useId, useRef, useState } from 'react';
import { Controller, useWatch } from 'react-hook-form';
import { addDays } from '#contract/days.ts';
import { listSpotFacts, type MeetingSpot } from '#contract/meeting-spots.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { RadioGroup, type RadioOption } from '#web/ui/radio-group.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { toCampusInstant } from './campus-times.ts';
import { DealFormDialog } from './deal-form-dialog.tsx';
import { DealItem } from './deal-item.tsx';
import { getHandoverDayRange } from './handover-days.ts';
import { findPossibleTime, HandoverTimeFields, type HandoverValues } from './handover-time-fields.tsx';
import { formatBriefHandoverTime } from './handover-times.ts';
import { listingQuery } from './listing-query.ts';
import { meetingSpotsQuery } from './meeting-spots.ts';
import { heldDealsWithQuery, listDealsToSuggestWith } from './together.ts';
import type { TransitionDialogProps } from './transition-dialog-props.ts';
import { useDealTransitionForm } from './use-deal-transition-form.ts';

/** The option for a place that is not a meeting spot. */
const otherPlace = 'other';
/** The option for the location of the listing, if it is not a meeting spot. */
const listingPlace = 'listing';

const toSpotOption = (spot: MeetingSpot): RadioOption => {
  const { landmark, ...facts } = spot;
  const hint = [landmark, ...listSpotFacts(facts)].filter(Boolean).join(' · ');
  return { value: spot.id, label: spot.name, ...(hint && { hint }) };
};

/** Returns the spot that a listing's location names, if any. */
const findSpotAtLocation = (spots: readonly MeetingSpot[], location: string): MeetingSpot | undefined => {
  const wanted = location.toLowerCase();
  return spots.find(({ name }) => wanted.includes(name.toLowerCase()) || name.toLowerCase().includes(wanted));
};

/** The dialog for suggesting a place and up to three times to meet. */
export function SuggestHandoverDialog({
  deal,
  ownId,
  otherName,
  listing: listingOfDeal,
  onClose,
}: TransitionDialogProps) {
  const formId = useId();
  const placesId = useId();
  const whereId = useId();
  const placeButton = useRef<HTMLButtonElement>(null);
  const [isChoosing, setIsChoosing] = useState(false);
  const { isPending: isWaitingForSpots, data } = useQuery(meetingSpotsQuery, queryClient);
  const {
    data: listing,
    isFetching,
    failureCount,
  } = useQuery({ ...listingQuery(listingOfDeal?.slug ?? ''), enabled: Boolean(listingOfDeal) }, queryClient);
  const otherId = deal.other?.id ?? '';
  const { data: held = [], isLoading: isWaitingForDeals } = useQuery(
    { ...heldDealsWithQuery(ownId, otherId), enabled: otherId !== '' },
    queryClient,
  );
  const isPending = isWaitingForSpots || isWaitingForDeals || (!listing && isFetching && failureCount === 0);
  // One meeting for all items is what most people want, so the others are included until they are left out.
  const [leftOutIds, setLeftOutIds] = useState<readonly string[]>([]);
  const others = listDealsToSuggestWith(deal, held);
  const chosenOthers = others.filter(({ id }) => !leftOutIds.includes(id));
  const location = listing?.location ?? '';
  const campus = useCampus();
  const now = new Date();
  const days = getHandoverDayRange(deal, campus, now);
  const latest = deal.handover?.proposal ?? deal.handover;
  // If the list of spots cannot be loaded, a place can still be typed.
  const allSpots = data?.items ?? [];
  const ownSpot = location ? findSpotAtLocation(allSpots, location) : undefined;
  const spots = ownSpot ? [ownSpot, ...allSpots.filter((spot) => spot !== ownSpot)] : allSpots;
  const options: RadioOption[] = [
    ...(location && !ownSpot ? [{ value: listingPlace, label: location, hint: 'From the listing' }] : []),
    ...spots.map(toSpotOption),
    { value: otherPlace, label: 'Somewhere else' },
  ];
  // Until the person chooses a place, that of the latest suggestion is selected, unless it has been removed since.
  const findOption = (chosen: string): RadioOption => {
    const wanted = chosen || (latest ? (latest.spot_id ?? otherPlace) : options[0]?.value);
    return options.find(({ value }) => value === wanted) ?? { value: otherPlace, label: 'Somewhere else' };
  };
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
      const { value } = findOption(chosen);
      return {
        ...(value === otherPlace
          ? { place }
          : value === listingPlace
            ? { place: location }
            : { spot_id: value }),
        times: times.map(({ day, time }) => toCampusInstant(day, time, campus)),
        ...(chosenOthers.length > 0 && { also_for: chosenOthers.map(({ id }) => id) }),
      };
    },
    onClose,
  });
  const { register, control, errors, formProps, isSending } = form;
  const [chosen, typedPlace, times] = useWatch({ control, name: ['spot', 'place', 'times'] });
  const option = findOption(chosen);
  const spot = spots.find(({ id }) => id === option.value);
  const placeName = option.value === otherPlace ? typedPlace.trim() : option.label;
  const [first] = times;
  const what =
    first && times.length === 1
      ? formatBriefHandoverTime(toCampusInstant(first.day, first.time, campus), campus, now)
      : `${times.length} times`;

  // The arrow keys, which go through the options, cause clicks without a count.
  const closePlaces = ({ detail, target }: MouseEvent) => {
    if (detail === 0 || !(target as Element).closest('label')) return;
    setIsChoosing(false);
    placeButton.current?.focus();
  };

  return (
    // Render the same dialog element before and after its content is loaded, so that it keeps the focus.
    <DealFormDialog
      title="Suggest a time and place"
      description={`${isolateDirection(otherName)} can pick one of your times with one tap.`}
      formId={formId}
      submitLabel={
        first
          ? [
              'Suggest',
              [what, isolateDirection(placeName)].filter(Boolean).join(', '),
              chosenOthers.length > 0 && `· ${chosenOthers.length + 1}\u00a0items`,
            ]
              .filter(Boolean)
              .join(' ')
          : 'Suggest a time'
      }
      sending={isSending || isPending}
      onClose={onClose}
    >
      {isPending ? (
        <div className="grid place-items-center py-10">
          <Spinner label="Loading meeting spots" />
        </div>
      ) : (
        <form id={formId} {...formProps} className="flex flex-col gap-5">
          <HandoverTimeFields form={form} days={days} suggestedDay={suggestedDay} spot={spot} />
          {options.length > 1 && (
            <div>
              <p id={whereId} className="mb-1.5 font-semibold text-sm">
                Where
              </p>
              <button
                ref={placeButton}
                type="button"
                aria-labelledby={`${whereId} ${whereId}-place`}
                aria-expanded={isChoosing}
                aria-controls={placesId}
                className="flex min-h-11 w-full items-center gap-2 rounded-md border border-line-strong bg-surface px-3 py-2 text-left hover:bg-hover"
                onClick={() => setIsChoosing(!isChoosing)}
              >
                <MapPin aria-hidden="true" className="size-5 shrink-0 text-ink-muted" />
                <span id={`${whereId}-place`} className="min-w-0 flex-1">
                  <span dir="auto" className="block break-words">
                    {option.label}
                  </span>
                  {option.hint && (
                    <span dir="auto" className="block break-words text-ink-muted text-sm">
                      {option.hint}
                    </span>
                  )}
                </span>
                {isChoosing ? (
                  <ChevronUp aria-hidden="true" className="size-5 shrink-0" />
                ) : (
                  <ChevronDown aria-hidden="true" className="size-5 shrink-0" />
                )}
              </button>
              {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: Enter and the button close it by keyboard */}
              <div id={placesId} hidden={!isChoosing} className="mt-2" onClick={closePlaces}>
                <Controller
                  control={control}
                  name="spot"
                  render={({ field }) => (
                    <RadioGroup
                      aria-label="Where"
                      value={option.value}
                      onValueChange={field.onChange}
                      options={options}
                    />
                  )}
                />
              </div>
            </div>
          )}
          {option.value === otherPlace && (
            <Field
              label="Place"
              hint="A public place where people are around is safest."
              error={errors.place?.message}
              required
            >
              <Input placeholder="In front of the library" {...register('place')} />
            </Field>
          )}
          {others.length > 0 && (
            <fieldset>
              <legend className="font-semibold text-sm">Also for</legend>
              {others.map((other) => (
                <Checkbox
                  key={other.id}
                  label={<DealItem deal={other} />}
                  checked={chosenOthers.includes(other)}
                  onChange={() =>
                    setLeftOutIds((ids) =>
                      ids.includes(other.id) ? ids.filter((id) => id !== other.id) : [...ids, other.id],
                    )
                  }
                />
              ))}
            </fieldset>
          )}
        </form>
      )}
    </DealFormDialog>
  );
}

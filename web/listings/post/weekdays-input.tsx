import { useWatch } from 'react-hook-form';
import { listWeekdays } from '#contract/weekdays.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Chip } from '#web/ui/chip.tsx';
import { useFieldGroup } from '#web/ui/field.tsx';
import type { ListingFormMethods } from './submission.ts';

/** The weekdays on which an item for rent is handed out and taken back; none chosen means all. */
export function WeekdaysInput({ form }: { form: ListingFormMethods }) {
  const campus = useCampus();
  const chosen = useWatch({ control: form.control, name: 'handoutDays' }) ?? '';
  const { id, 'aria-labelledby': labelledBy, 'aria-describedby': describedBy } = useFieldGroup();
  const toggle = (weekday: string) =>
    form.setValue(
      'handoutDays',
      chosen.includes(weekday) ? chosen.replace(weekday, '') : [...chosen, weekday].sort().join(''),
      { shouldDirty: true },
    );
  return (
    // biome-ignore lint/a11y/useSemanticElements: the field around it has the label
    <div
      role="group"
      id={id}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      className="flex flex-wrap gap-2"
    >
      {listWeekdays(campus).map(({ weekday, name }) => (
        <Chip
          key={weekday}
          pressed={chosen.includes(String(weekday))}
          onClick={() => toggle(String(weekday))}
        >
          {name}
        </Chip>
      ))}
    </div>
  );
}

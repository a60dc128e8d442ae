import { useNavigation } from 'react-router';
import { maxExactMatchCount } from '#contract/paging.ts';
import { formatCount } from '#web/lib/format.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FilterFields, type FilterFieldsProps } from './filter-fields.tsx';

export interface FilterSheetProps extends FilterFieldsProps {
  /** Number of listings that match the chosen filters. */
  total: number;
  onReset: () => void;
  onClose: () => void;
}

/** The filter sheet on phones. Each choice immediately updates the list and the number of results. */
export function FilterSheet({ total, onReset, onClose, ...fields }: FilterSheetProps) {
  const campus = useCampus();
  const { state } = useNavigation();
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Filters"
      actions={
        <>
          <Button variant="ghost" onClick={onReset}>
            Reset Filters
          </Button>
          <Button
            loading={state !== 'idle'}
            onClick={onClose}
          >{`Show ${formatCount(total, campus, maxExactMatchCount)} ${total === 1 ? 'result' : 'results'}`}</Button>
        </>
      }
    >
      <form
        aria-label="Filters"
        autoComplete="off"
        className="grid gap-4"
        onSubmit={(event) => event.preventDefault()}
      >
        <FilterFields {...fields} />
      </form>
    </Dialog>
  );
}

import { Search } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { Select, type SelectOption } from '#web/ui/select.tsx';

/**
 * Returns the value of a filter (empty by default) and a function that changes it. The value is stored in
 * the URL.
 */
export const useUrlFilter = (name: string): [string, (value: string) => void] => {
  const [params, setParams] = useSearchParams();
  const change = (value: string) =>
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  return [params.get(name) ?? '', change];
};

/** A row of filters above a list; two columns on phones. */
export function FilterRow({ children }: { children: ReactNode }) {
  return <div className="mb-4 two-columns items-end gap-3 sm:flex sm:flex-wrap">{children}</div>;
}

/** A search field whose text becomes the filter when it is submitted. A navigation replaces the text. */
export function SearchFilter({ name, label }: { name: string; label: string }) {
  const [value, setValue] = useUrlFilter(name);
  const [text, setText] = useState(value);
  const [previousValue, setPreviousValue] = useState(value);
  if (previousValue !== value) {
    setPreviousValue(value);
    setText(value);
  }
  return (
    <search className="col-span-2 min-w-0 grow">
      <form
        className="flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          setValue(text.trim());
        }}
      >
        <Field label={label} className="min-w-0 grow">
          <Input
            type="search"
            leading={<Search className="size-5" />}
            value={text}
            maxLength={200}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        <Button type="submit" variant="secondary">
          Search
        </Button>
      </form>
    </search>
  );
}

interface SelectFilterProps {
  name: string;
  label: string;
  /** The options of the filter. The first one has an empty value and is the default. */
  options: readonly SelectOption[];
}

export function SelectFilter({ name, label, options }: SelectFilterProps) {
  const [value, setValue] = useUrlFilter(name);
  return (
    <Field label={label} className="min-w-0 sm:w-44">
      <Select options={options} value={value} onChange={(event) => setValue(event.target.value)} />
    </Field>
  );
}

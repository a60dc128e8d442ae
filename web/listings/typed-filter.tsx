import { useState } from 'react';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import type { FilterName } from './filters.ts';

export interface TypedFilterProps {
  name: FilterName;
  label: string;
  value: string;
  onChoose: (value: string) => void;
}

/** A filter whose value is typed. It is chosen when the field is left or Enter is pressed. */
export function TypedFilter({ name, label, value, onChoose }: TypedFilterProps) {
  const [typed, setTyped] = useState({ chosen: value, text: value });
  if (typed.chosen !== value) setTyped({ chosen: value, text: value });

  const commit = () => {
    const text = typed.text.trim();
    if (text !== value) onChoose(text);
  };
  return (
    <Field label={label} className="md:w-40 lg:w-44">
      <Input
        name={name}
        maxLength={60}
        value={typed.text}
        onChange={(event) => setTyped({ ...typed, text: event.currentTarget.value })}
        onBlur={commit}
        onKeyDown={(event) => event.key === 'Enter' && commit()}
      />
    </Field>
  );
}

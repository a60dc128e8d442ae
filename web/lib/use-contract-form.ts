import { type DefaultValues, type FieldValues, type Path, type Resolver, useForm } from 'react-hook-form';
import type { z } from 'zod';
import { toFieldErrors } from '#contract/errors.ts';

type ParseResult<Output> = z.ZodSafeParseResult<Output>;

export interface ContractFormOptions<Input extends FieldValues, Output> {
  /** The contract's schema of the values, or a function that validates them with one. */
  schema: z.ZodType<Output, Input> | ((values: Input) => ParseResult<Output> | Promise<ParseResult<Output>>);
  defaultValues?: DefaultValues<Input> | undefined;
  /**
   * What editing a refused field does to its message: by default the field is validated again, with `clears` the message
   * disappears until the next attempt.
   */
  editing?: 'validates' | 'clears' | undefined;
}

/**
 * The form mechanism of all screens: react-hook-form, validated with a schema of the contract. Besides the form it returns
 * `showFieldErrors`, which shows the server's messages, and `submitButton`, the props of the button that sends the form.
 */
export const useContractForm = <Input extends FieldValues, Output>({
  schema,
  defaultValues,
  editing = 'validates',
}: ContractFormOptions<Input, Output>) => {
  const resolver: Resolver<Input, unknown, Output> = async (values) => {
    const checked = await (typeof schema === 'function' ? schema(values) : schema.safeParse(values));
    if (checked.success) return { values: checked.data, errors: {} };
    const messages = toFieldErrors(checked.error, ([field = '']) => String(field));
    const errors = Object.entries(messages).map(([name, message]) => [name, { type: 'schema', message }]);
    return { values: {}, errors: Object.fromEntries(errors) };
  };
  const form = useForm<Input, unknown, Output>({
    resolver,
    reValidateMode: editing === 'clears' ? 'onSubmit' : 'onChange',
    ...(defaultValues && { defaultValues }),
  });
  const { isReady, isSubmitting } = form.formState;

  const register: typeof form.register = (name, options) => {
    const onChange = async (event: unknown) => {
      if (editing === 'clears') form.clearErrors(name);
      await options?.onChange?.(event);
    };
    return form.register(name, { ...options, onChange });
  };

  /** Shows messages by field, such as those of a refused call, and focuses the first. Returns whether there was one. */
  const showFieldErrors = (fields: Record<string, string> = {}): boolean => {
    const names = Object.keys(form.getValues()).filter((name) => name in fields) as Path<Input>[];
    for (const [index, name] of names.entries()) {
      form.setError(name, { message: fields[name] ?? '' }, { shouldFocus: index === 0 });
    }
    return names.length > 0;
  };

  // Disabled in the page's HTML: before its script runs, a form would put what was typed into the URL.
  const submitButton = { type: 'submit', loading: isSubmitting, disabled: !isReady } as const;

  return { ...form, register, showFieldErrors, submitButton };
};

// biome-ignore lint/style/noRestrictedImports: other files use the hook of this file instead.
import { type DefaultValues, type FieldValues, type Path, type Resolver, useForm } from 'react-hook-form';
import type { z } from 'zod';
import { toFieldErrors } from '#contract/errors.ts';

type ParseResult<Output> = z.ZodSafeParseResult<Output>;

export interface ContractFormOptions<Input extends FieldValues, Output> {
  /**
   * The contract's schema for the values, or a function that validates the values with such a
   * schema.
   */
  schema: z.ZodType<Output, Input> | ((values: Input) => ParseResult<Output> | Promise<ParseResult<Output>>);
  defaultValues?: DefaultValues<Input> | undefined;
  /**
   * What happens to a field's error message when the field is edited: `validates` (default)
   * validates the field again, `clears` removes the message until the next submission.
   */
  editing?: 'validates' | 'clears' | undefined;
}

/**
 * Creates a react-hook-form form that is validated with a schema of the API contract; all screens
 * use this hook for their forms. Besides the form, returns `showFieldErrors`, which displays
 * messages of the server at the fields, and `submitButton`, the props of the submit button.
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
    const onBlur = async (event: unknown) => {
      // react-hook-form sets null when the focus leaves radio buttons of which none is chosen.
      if (form.getValues(name) === null) form.resetField(name, { keepError: true });
      await options?.onBlur?.(event);
    };
    return form.register(name, { ...options, onChange, onBlur });
  };

  /**
   * Displays error messages at their fields, for example those of a refused API call, and focuses
   * the first of these fields. Returns whether any of the messages belongs to a field of this form.
   */
  const showFieldErrors = (fields: Record<string, string> = {}): boolean => {
    const names = Object.keys(form.getValues()).filter((name) => name in fields) as Path<Input>[];
    for (const [index, name] of names.entries()) {
      form.setError(name, { message: fields[name] ?? '' }, { shouldFocus: index === 0 });
    }
    return names.length > 0;
  };

  // The button is disabled until scripts run, because submitting the plain HTML form would put the
  // entered values into the URL.
  const submitButton = { type: 'submit', loading: isSubmitting, disabled: !isReady } as const;

  return { ...form, register, showFieldErrors, submitButton };
};

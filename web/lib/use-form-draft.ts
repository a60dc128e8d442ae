import { useEffect, useState } from 'react';
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form';
import { getSessionSnapshot } from './session.ts';
import { declareStoredValue, visitorId } from './stored-values.ts';

/**
 * The values of a form that differ from its defaults or, if it has them, its blank values, by field name. Only strings
 * and arrays are saved, and the names of chosen files.
 */
type FormDraft = Record<string, unknown>;

const parseRecord = <Value>(stored: unknown): Record<string, Value> =>
  typeof stored === 'object' ? { ...(stored as Record<string, Value>) } : {};

/** The drafts of an account, by form. */
const accountDrafts = declareStoredValue({ name: 'form', scope: 'device', parse: parseRecord<unknown> });
/**
 * The drafts of visitors, by form. They are kept in this tab only, because visitors cannot erase them by
 * logging out.
 */
const visitorDrafts = declareStoredValue({
  name: 'form-drafts',
  scope: 'tab',
  parse: parseRecord<FormDraft>,
});

interface ChosenFiles {
  file_names: string[];
}

const isChosenFiles = (value: unknown): value is ChosenFiles =>
  typeof value === 'object' && value !== null && 'file_names' in value;

const hasFiles = (value: unknown): value is FileList => value instanceof FileList && value.length > 0;

const findFormDraft = (name: string): FormDraft => {
  const { user } = getSessionSnapshot();
  return (user ? accountDrafts.find(user.id, name) : visitorDrafts.find(visitorId)?.[name]) ?? {};
};

const storeFormDraft = (name: string, draft: FormDraft): void => {
  const { user } = getSessionSnapshot();
  const isEmpty = Object.keys(draft).length === 0;
  if (user && isEmpty) accountDrafts.remove(user.id, name);
  else if (user) accountDrafts.save(user.id, draft, name);
  else {
    const { [name]: _, ...others } = visitorDrafts.find(visitorId) ?? {};
    visitorDrafts.save(visitorId, isEmpty ? others : { ...others, [name]: draft });
  }
};

export const removeFormDraft = (name: string): void => storeFormDraft(name, {});

type DraftForm<Values extends FieldValues> = Pick<
  UseFormReturn<Values, unknown, unknown>,
  'getValues' | 'setValue' | 'subscribe' | 'formState'
>;

/**
 * Saves the changed strings and arrays among a form's values under a name, and restores them when the form is opened
 * again. Those of accounts are saved on this device, those of visitors in this tab. Returns whether any were restored, and
 * the names of the files that have to be chosen again, because files cannot be saved.
 * Fields in `omit` are not saved; password fields must be among them. A form whose
 * defaults are text that the person typed before also passes `blank`, the values with which it opens next time, so that
 * this text is saved, too.
 */
export const useFormDraft = <Values extends FieldValues>(
  name: string,
  { getValues, setValue, subscribe, formState: { defaultValues } }: DraftForm<Values>,
  omit: readonly Path<Values>[] = [],
  blank?: Partial<Values>,
): { isRestored: boolean; lostFiles: readonly string[] } => {
  const [isRestored, setIsRestored] = useState(false);
  const [lostFiles, setLostFiles] = useState<readonly string[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the functions of a form never change
  useEffect(() => {
    const isUnchanged = (
      field: string,
      value: unknown,
      defaults: Partial<FieldValues> = defaultValues ?? {},
    ) => JSON.stringify(value ?? '') === JSON.stringify(defaults[field] ?? '');
    // Text that was typed before this script ran is newer than the draft, so do not replace it.
    const draft = Object.entries(findFormDraft(name)) as [Path<Values>, unknown][];
    const lost = draft.filter(([field, value]) => isChosenFiles(value) && !hasFiles(getValues(field)));
    setLostFiles(lost.flatMap(([, value]) => (value as ChosenFiles).file_names));
    const restored = draft.filter(
      ([field, value]) => !isChosenFiles(value) && isUnchanged(field, getValues(field)),
    );
    for (const [field, value] of restored) setValue(field, value as PathValue<Values, Path<Values>>);
    if (restored.length > 0) setIsRestored(true);
    return subscribe({
      formState: { values: true },
      // The defaults may have been replaced since the form was opened.
      callback: ({ values, defaultValues: defaults }) => {
        const changed = Object.entries(values).filter(
          ([field, value]) =>
            (typeof value === 'string' || Array.isArray(value)) &&
            !isUnchanged(field, value, blank ?? defaults) &&
            !(omit as readonly string[]).includes(field),
        );
        const chosen = Object.entries(values).flatMap(([field, value]) =>
          hasFiles(value) ? [[field, { file_names: [...value].map((file) => file.name) }]] : [],
        );
        const missing = chosen.length > 0 ? [] : lost;
        if (chosen.length > 0) setLostFiles([]);
        storeFormDraft(name, Object.fromEntries([...changed, ...missing, ...chosen]));
      },
    });
  }, [name]);
  return { isRestored, lostFiles };
};

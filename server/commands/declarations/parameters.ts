import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';

/** The program, to which each module of this folder adds a command. */
export type Program = Command<[], Record<never, never>, Record<never, never>>;

export const reasonOption = () => new Option('--reason <sentence>', 'kept in the audit trail');

/** The option of commands that read something. */
export const jsonOption = () => new Option('--json', 'prints JSON');

/** Accepts an id; other texts are wrong usage. */
export const parseId = (text: string): string => {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text))
    throw new InvalidArgumentError('It is not an id.');
  return text;
};

/** Returns a parser of whole numbers from 1 to `max`; other texts are wrong usage. */
export const createNumberParser =
  (max: number) =>
  (text: string): number => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : 0;
    if (value < 1 || value > max) throw new InvalidArgumentError(`Give a number from 1 to ${max}.`);
    return value;
  };

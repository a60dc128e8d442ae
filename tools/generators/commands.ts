import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { createProgram } from '#server/commands/program.ts';
import { replaceSection } from '../generating/section.ts';

const formatParameters = (command: CommandUnknownOpts): string =>
  [
    ...command.registeredArguments.map((it) => (it.required ? `<${it.name()}>` : `[${it.name()}]`)),
    ...command.options.map((it) => (it.mandatory ? it.flags : `[${it.flags}]`)),
  ].join(' ');

/** Returns the row of a command, or those of its subcommands. */
const formatRows = (command: CommandUnknownOpts, path: string): string[] =>
  command.commands.length > 0
    ? command.commands.flatMap((it) => formatRows(it, `${path}${it.name()} `))
    : [`| \`${`${path}${formatParameters(command)}`.trim()}\` | ${command.description()} |`];

/** Generates the table of commands in docs/operations.md. */
export const generate = () => {
  const table = ['| command | what it does |', '|---|---|', ...formatRows(createProgram(), '')].join('\n');
  return [replaceSection('docs/operations.md', 'commands', table)];
};

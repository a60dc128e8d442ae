import type { CommandUnknownOpts } from '@commander-js/extra-typings';

export const shells = ['bash', 'zsh'] as const;

/** Returns the words that can follow the names of a command. */
const listWords = (command: CommandUnknownOpts): string[] => [
  ...command.commands.map((it) => it.name()),
  ...command.registeredArguments.flatMap((it) => it.argChoices ?? []),
  ...command.options.flatMap((it) => it.long ?? []),
  '--help',
];

/** Returns a branch of the script's `case` for a command, its options with choices, and its subcommands. */
const formatBranches = (command: CommandUnknownOpts, path: string): string[] => [
  ...command.options
    .filter((it) => it.required)
    .map((it) => `    "${path} "*"${it.long} ") words="${it.argChoices?.join(' ') ?? ''}" ;;`),
  ...command.commands.flatMap((it) => formatBranches(it, `${path} ${it.name()}`)),
  `    "${path} "*) words="${listWords(command).join(' ')}" ;;`,
];

/**
 * Returns a script that completes the commands, subcommands, options and choices of `program` in a shell. Where nothing is
 * known, the shell completes names of files.
 */
export const formatCompletion = (
  program: CommandUnknownOpts,
  shell: (typeof shells)[number],
): string => `${shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_${program.name()}() {
  local words="" line="" i
  for ((i = 1; i < COMP_CWORD; i++)); do line="$line \${COMP_WORDS[i]}"; done
  case "$line " in
${formatBranches(program, '').join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _${program.name()} ${program.name()}
`;

/** The option of a command that reads something. */
export interface JsonOption {
  json?: true | undefined;
}

/** Prints a line to standard output. */
export const printLine = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Prints what a command has read: as JSON with --json, otherwise as text. */
export const printResult = <Value>(
  value: Value,
  { json }: JsonOption,
  format: (value: Value) => string,
): void => printLine(json ? JSON.stringify(value, null, 2) : format(value));

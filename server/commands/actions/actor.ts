import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { auditReasonSchema } from '#contract/audit.ts';
import type { CommandActor } from '#server/app.ts';
import { UsageError } from '../usage-error.ts';

/**
 * Returns the name of the operating system user who runs the command. If the command runs under sudo, returns
 * the name of the user who called sudo.
 */
const getShellUser = (): string => {
  if (process.env.SUDO_USER) return process.env.SUDO_USER;
  try {
    return userInfo().username;
  } catch {
    // Some containers run as a user id without a name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
};

/** The options of a command that changes something. */
export interface ReasonOptions {
  reason?: string | undefined;
}

/** Returns whether the command runs at a terminal and can ask questions. */
export const isInteractive = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true;

/** Asks a question at the terminal and returns the trimmed answer. */
export const promptUser = async (question: string): Promise<string> => {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return (await terminal.question(question)).trim();
  } finally {
    terminal.close();
  }
};

/** Returns the actor of a command for audit entries: the operating system user who runs it, and the reason. */
export const createShellActor = (reason: string): CommandActor => ({
  name: `shell:${getShellUser()}`,
  reason,
});

/**
 * Returns the actor of a command for audit entries. Asks for a missing reason when the command runs at a terminal;
 * otherwise throws a UsageError.
 */
export const readActor = async (what: string, { reason }: ReasonOptions): Promise<CommandActor> => {
  const given =
    reason ?? (isInteractive() ? await promptUser('Reason (kept in the audit trail): ') : undefined);
  const { data } = auditReasonSchema.safeParse(given);
  if (data === undefined) throw new UsageError(`${what} needs --reason "…", of 1 to 500 characters.`);
  return createShellActor(data);
};

import { Command, CommanderError } from '@commander-js/extra-typings';
import { serverVersion } from '#server/platform/process/version.ts';
import { declareAnnouncement } from './declarations/announcement.ts';
import { declareAudit } from './declarations/audit.ts';
import { declareBooks } from './declarations/books.ts';
import { declareCases } from './declarations/cases.ts';
import { declareCourses } from './declarations/courses.ts';
import { declareDeal } from './declarations/deal.ts';
import { declareForms } from './declarations/forms.ts';
import { declareListing } from './declarations/listing.ts';
import { declareOperation } from './declarations/operation.ts';
import type { Program } from './declarations/parameters.ts';
import { declareReview } from './declarations/review.ts';
import { declareSchedule } from './declarations/schedule.ts';
import { declareSpots } from './declarations/spots.ts';
import { declareUser } from './declarations/user.ts';
import { UsageError } from './usage-error.ts';

/**
 * Creates the program `quad` with all commands. Only the action of the chosen command loads the modules that it needs,
 * so that help and wrong usage respond at once.
 */
export const createProgram = (): Program => {
  const program = new Command('quad')
    .description('Runs and administers Quad, a campus marketplace')
    .version(serverVersion)
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError()
    .addHelpText(
      'after',
      `
Settings come from the environment, as those of the server do. What changes something asks for a reason, or takes it from
--reason. Exit code 0 means done, 1 refused with one line, 2 wrong usage.`,
    );
  declareOperation(program);
  declareUser(program);
  declareForms(program);
  declareCases(program);
  declareListing(program);
  declareReview(program);
  declareDeal(program);
  declareSpots(program);
  declareSchedule(program);
  declareBooks(program);
  declareCourses(program);
  declareAnnouncement(program);
  declareAudit(program);
  return program;
};

/**
 * Runs the program and sets the exit code: 0 on success, 1 on failure (with a one-line reason on standard error), 2 for
 * wrong arguments (with the help of the command).
 */
export const runProgram = async (args: readonly string[]): Promise<void> => {
  const program = createProgram();
  let usage = '';
  program.hook('preAction', (_, command) => {
    usage = command.helpInformation({ error: true });
    // Make the files that a command writes accessible only to the user who runs it. The server sets its own modes.
    if (command.name() !== 'start') process.umask(0o077);
  });
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\n\n${usage}`);
      process.exitCode = 2;
    } else {
      const { describeError } = await import('./describe-error.ts');
      process.stderr.write(`${describeError(error)}\n`);
      process.exitCode = 1;
    }
  }
};

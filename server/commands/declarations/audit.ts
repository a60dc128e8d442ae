import { createNumberParser, jsonOption, type Program } from './parameters.ts';

export const declareAudit = (program: Program): void => {
  const audit = program.command('audit').description('The audit trail');
  audit
    .command('list', { isDefault: true })
    .description('Lists what administrators and the system did, the newest last')
    .option('--user <who>', 'an id or a whole address')
    .option('--since <time>', 'a day such as 2026-01-31, or 24h, or 7d', '90d')
    .option('--address <client>', 'network address of the client')
    .option('--limit <number>', 'how many', createNumberParser(999_999), 200)
    .option('--before <number>', 'only entries with lower numbers', createNumberParser(999_999_999_999_999))
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Each line has number, time, event, subject (account), actor, client (a keyed hash of its address), request, detail and
reason. An actor is an account, "visitor" (nobody proved who they are), "system", or "shell:" with the user who ran a
command.`,
    )
    .action(async (options) => {
      if (audit.args.length === 0) audit.help({ error: true });
      await (await import('../actions/audit.ts')).printEntries(options);
    });
};

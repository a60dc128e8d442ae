import { Argument, Option } from '@commander-js/extra-typings';
import { createNumberParser, jsonOption, type Program, parseId, reasonOption } from './parameters.ts';

const loadActions = () => import('../actions/forms.ts');

const formArgument = () => new Argument('<form>', 'an id').argParser(parseId);

export const declareForms = (program: Program): void => {
  const forms = program
    .command('forms')
    .description('Reports, questions, applications and deletion requests');
  forms
    .command('list')
    .description('Lists forms, the newest first')
    .addOption(
      new Option('--kind <kind>').choices(['report', 'contact', 'application', 'deletion-request'] as const),
    )
    .addOption(
      new Option('--state <state>').choices(['open', 'done', 'all'] as const).default('open' as const),
    )
    .option('--limit <number>', 'how many', createNumberParser(1000), 20)
    .option('--before <form>', 'only older ones than this', parseId)
    .addOption(jsonOption())
    .action(async (options) => (await loadActions()).printForms(options));
  forms
    .command('show')
    .description('Shows everything that was sent')
    .addArgument(formArgument())
    .addOption(jsonOption())
    .action(async (form, options) => (await loadActions()).printForm(form, options));
  forms
    .command('answer')
    .description('Emails an answer to the sender and stores it with the form, which stays open')
    .addArgument(formArgument())
    .option('--text <text>')
    .option('--file <file>', 'a text file with a longer one')
    .addOption(reasonOption())
    .action(async (form, options) => (await loadActions()).answer(form, options));
  forms
    .command('done')
    .description('Marks a form as done')
    .addArgument(formArgument())
    .addOption(reasonOption())
    .action(async (form, options) => (await loadActions()).setDone(form, true, options));
  forms
    .command('reopen')
    .description('Undoes done')
    .addArgument(formArgument())
    .addOption(reasonOption())
    .action(async (form, options) => (await loadActions()).setDone(form, false, options));
  forms
    .command('resume')
    .description('Writes the resume of an application to a new file')
    .addArgument(formArgument())
    .argument('<file>')
    .action(async (form, file) => (await loadActions()).writeResume(form, file));
};

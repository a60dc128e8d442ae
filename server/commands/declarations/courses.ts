import { Option } from '@commander-js/extra-typings';
import { jsonOption, type Program, reasonOption } from './parameters.ts';

const loadActions = () => import('../actions/courses.ts');

export const declareCourses = (program: Program): void => {
  const courses = program.command('courses').description('The courses that textbook listings name');
  courses
    .command('list')
    .description('Lists courses by code, at most 50')
    .argument('[text]', 'the beginning of a code, or words of a title')
    .addOption(new Option('--after <code>', 'only those after this one'))
    .addOption(jsonOption())
    .action(async (text, options) => (await loadActions()).printCourses(text, options));
  courses
    .command('import')
    .description('Adds the courses of a CSV file: code, title, term, ISBNs; changes those that exist')
    .argument('<file>')
    .addOption(reasonOption())
    .action(async (file, options) => (await loadActions()).importFile(file, options));
  courses
    .command('remove')
    .description('Removes a course; listings keep its code')
    .argument('<code>')
    .addOption(reasonOption())
    .action(async (code, options) => (await loadActions()).remove(code, options));
};

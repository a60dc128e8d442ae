import type { Program } from './parameters.ts';

const loadActions = () => import('../actions/books.ts');

export const declareBooks = (program: Program): void => {
  const books = program.command('books').description('The catalog of books that fills in textbook listings');
  books
    .command('import')
    .description('Imports a catalog; after an interruption, continues where it was')
    .argument(
      '<file>',
      'ISBN, title, authors, edition and year separated by tabs, or the editions dump of Open Library; may be .gz',
    )
    .action(async (file) => (await loadActions()).importFile(file));
};

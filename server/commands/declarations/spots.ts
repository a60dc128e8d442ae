import { Argument, Option } from '@commander-js/extra-typings';
import { jsonOption, type Program, reasonOption } from './parameters.ts';

const loadActions = () => import('../actions/spots.ts');

const spotArgument = () => new Argument('<spot>', 'a name or an id');
const landmarkOption = () => new Option('--landmark <text>', 'how to find it, or unknown');
const hoursOption = () => new Option('--hours <text>', 'such as "Mon to Fri 8:00 to 22:00", or unknown');
const createAnswerOption = <const Flags extends string>(flags: Flags, question: string) =>
  new Option(flags, question).choices(['yes', 'no', 'unknown'] as const);
const indoorsOption = () => createAnswerOption('--indoors <answer>', 'is it indoors?');
const litOption = () => createAnswerOption('--lit <answer>', 'is it lit?');
const cameraOption = () => createAnswerOption('--camera <answer>', 'is a camera or emergency phone nearby?');

export const declareSpots = (program: Program): void => {
  const spots = program
    .command('spots')
    .description('Meeting spots')
    .addHelpText('after', '\nA changed fact is hidden until it is confirmed again.');
  spots
    .command('list')
    .description('Lists all meeting spots, with what is known about them')
    .addOption(jsonOption())
    .action(async (options) => (await loadActions()).printSpots(options));
  spots
    .command('add')
    .description('Adds a meeting spot')
    .argument('<name>')
    .addOption(landmarkOption())
    .addOption(hoursOption())
    .addOption(indoorsOption())
    .addOption(litOption())
    .addOption(cameraOption())
    .addOption(reasonOption())
    .action(async (name, options) => (await loadActions()).add(name, options));
  spots
    .command('change')
    .description('Changes the given facts of a meeting spot')
    .addArgument(spotArgument())
    .option('--name <name>')
    .addOption(landmarkOption())
    .addOption(hoursOption())
    .addOption(indoorsOption())
    .addOption(litOption())
    .addOption(cameraOption())
    .addOption(reasonOption())
    .action(async (spot, options) => (await loadActions()).change(spot, options));
  spots
    .command('confirm')
    .description('Shows everybody what is stored besides name and landmark')
    .addArgument(spotArgument())
    .addOption(reasonOption())
    .action(async (spot, options) => (await loadActions()).confirm(spot, options));
  spots
    .command('remove')
    .description('Removes a meeting spot; agreed handovers keep its name')
    .addArgument(spotArgument())
    .addOption(reasonOption())
    .action(async (spot, options) => (await loadActions()).remove(spot, options));
  spots
    .command('remove-default')
    .description('Removes the meeting spots of the default campus after a change of the campus')
    .addOption(reasonOption())
    .action(async (options) => (await loadActions()).removeDefault(options));
};

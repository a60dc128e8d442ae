import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { replaceSection } from '../generating/section.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Returns a cron schedule in words. Throws for a schedule that is neither every minute, hourly nor daily. */
const formatSchedule = (cron: string): string => {
  if (cron === '* * * * *') return 'every minute';
  const [, minute, hour] = /^(\d+) (\d+|\*) \* \* \*$/.exec(cron) ?? [];
  if (minute === undefined || hour === undefined) throw new Error(`No words for the schedule ${cron}`);
  const paddedMinute = minute.padStart(2, '0');
  return hour === '*'
    ? `hourly at :${paddedMinute}`
    : `daily at ${hour.padStart(2, '0')}:${paddedMinute} UTC`;
};

const pattern =
  /declare(Scheduled|Polling|Queue)Job\(\s*(?:'([^']+)'|(\w+)),(?:\s*(?:'([^']+)'|(\w+)),)?\s*\([^)]*\) => (\w+)\(/g;

/** Generates the tables of jobs in docs/jobs.md from the declarations in the plugins of the features. */
export const generate = () => {
  const sources = globSync('server/**/*.ts', { cwd: root })
    .filter((file) => !file.includes('.test.'))
    .sort()
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
  const queueNames = new Map<string, string>();
  for (const { text } of sources)
    for (const [, variable = '', name = ''] of text.matchAll(
      /const (\w+): QueueDefinition<[^=]*= \{\s*name: '([^']+)'/g,
    ))
      queueNames.set(variable, name);

  const scheduled: string[] = [];
  const queued: string[] = [];
  for (const { file, text } of sources.filter((source) => source.file.endsWith('/plugin.ts'))) {
    for (const [, kind, name, variable = '', cron, seconds, run] of text.matchAll(pattern)) {
      const where = `\`${run}\` | ${file.replace(/^server\/(features\/)?|\/plugin\.ts$/g, '')} |`;
      if (kind === 'Queue') queued.push(`| \`${queueNames.get(variable)}\` | ${where}`);
      else if (kind === 'Scheduled')
        scheduled.push(`| \`${name}\` | ${formatSchedule(cron ?? '')} | ${where}`);
      else {
        const pause = new RegExp(`const ${seconds} = (\\d+);`).exec(text)?.[1];
        scheduled.push(
          `| \`${name}\` | every ${pause === '1' ? 'second' : `${pause} seconds`}, in every process | ${where}`,
        );
      }
    }
  }
  const table = [
    '| job | when | function | feature |',
    '|---|---|---|---|',
    ...scheduled.sort(),
    '',
    '| queue | function | feature |',
    '|---|---|---|',
    ...queued.sort(),
  ].join('\n');
  return [replaceSection('docs/jobs.md', 'jobs', table)];
};

/**
 * `npm run bench:books [-- lines]`: imports a catalog of 10,000,000 lines, of which one in a thousand is broken, kills the
 * import three times, and continues it. Prints what the import says, the time, and the largest memory of the importing
 * process and size of the database's log. Fails when a book is missing or a broken line is not counted.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { defaultCampus } from '#contract/campus.ts';
import { getNumberFormat } from '#contract/number-format.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { openBenchEnvironment } from './environment.ts';

const lineCount = Number(process.argv[2] ?? 10_000_000);
const brokenEvery = 1_000;
const firstBroken = 7;
const brokenCount = Math.ceil((lineCount - firstBroken) / brokenEvery);
const kills = 3;
const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

const toIsbn = (number: number): string => {
  const digits = `9781${String(number).padStart(8, '0')}`;
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1)
    sum += Number(digits[index]) * (index % 2 === 0 ? 1 : 3);
  return `${digits}${(10 - (sum % 10)) % 10}`;
};

/** Returns a line that the import has to leave out. The first one is longer than what the import reads. */
const generateBrokenLine = (line: number, isbn: string): string => {
  if (line < brokenEvery) return 'x'.repeat(5_000_000);
  const wrongDigit = (Number(isbn.at(-1)) + 1) % 10;
  // The last one contains the byte FF, which UTF-8 does not have.
  const kinds = [`${isbn.slice(0, -1)}${wrongDigit}\tA typo`, isbn, `${isbn}\t `, `${isbn}\tTitle \u00ff`];
  return kinds[Math.floor(line / brokenEvery) % kinds.length] ?? '';
};

function* generateChunks(): Generator<Buffer> {
  let chunk = '';
  for (let line = 0; line < lineCount; line += 1) {
    // Neighbors in the file are far apart in the index, as in a real catalog.
    const number = (line * 7_654_321) % 99_999_989;
    const isbn = toIsbn(number);
    chunk +=
      line % brokenEvery === firstBroken
        ? `${generateBrokenLine(line, isbn)}\n`
        : `${isbn}\tIntroduction to subject ${number}\tA. Author ${line % 50_000}, B. Other\t${line % 12}th edition\t${1960 + (line % 65)}\n`;
    if (chunk.length > 1_000_000) {
      yield Buffer.from(chunk, 'latin1');
      chunk = '';
    }
  }
  yield Buffer.from(chunk, 'latin1');
}

/** Returns the largest memory of a running process so far in bytes. */
const readPeakMemory = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
};

const folder = await mkdtemp(join(tmpdir(), 'quad-bench-books-'));
const environment = await openBenchEnvironment(async () => {});
const sql = openDatabase(environment.databaseUrl, { max: 1 });
try {
  const path = join(folder, 'books.tsv');
  await pipeline(Readable.from(generateChunks()), createWriteStream(path));
  const { size } = await stat(path);
  printLine(`${lineCount} lines, ${Math.round(size / 1e6)} MB`);

  let peakMemory = 0;
  let peakLog = 0;
  let output = '';
  const start = () => {
    const program = fileURLToPath(new URL('../server/commands/quad.ts', import.meta.url));
    const child = spawn(process.execPath, [program, 'books', 'import', path], {
      env: { PATH: process.env.PATH, QUAD_DATABASE_URL: environment.databaseUrl, QUAD_DATA_DIR: folder },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      process.stdout.write(text);
    });
    return { child, exit: once(child, 'exit') };
  };
  const readPosition = async (): Promise<number> =>
    (await sql<{ position: number }[]>`SELECT position FROM private.book_imports`)[0]?.position ?? 0;
  const readLogSize = async (): Promise<number> =>
    (await sql<{ bytes: number }[]>`SELECT sum(size)::float8 AS bytes FROM pg_ls_waldir()`)[0]?.bytes ?? 0;

  const begun = performance.now();
  for (let kill = 0; kill <= kills; kill += 1) {
    const { child, exit } = start();
    const killAt = kill === kills ? Number.POSITIVE_INFINITY : ((kill + Math.random()) / (kills + 1)) * size;
    while (child.exitCode === null && child.signalCode === null) {
      peakMemory = Math.max(peakMemory, await readPeakMemory(child.pid ?? 0));
      peakLog = Math.max(peakLog, await readLogSize());
      if ((await readPosition()) > killAt) child.kill('SIGKILL');
      await Promise.race([exit, delay(500)]);
    }
  }
  const seconds = (performance.now() - begun) / 1000;
  const [stored] = await sql<{ count: number }[]>`SELECT count(*) AS count FROM books`;
  const expected = lineCount - brokenCount;
  const isBrokenCounted = output.includes(
    `Broken and left out: ${getNumberFormat(defaultCampus.locale).format(brokenCount)} lines\n`,
  );
  printLine(
    `${stored?.count} of ${expected} books in ${Math.round(seconds)} s (${Math.round(lineCount / seconds)} lines/s), ${Math.round(peakMemory / 1e6)} MB of memory, ${Math.round(peakLog / 1e6)} MB of log`,
  );
  if (stored?.count !== expected || !isBrokenCounted) process.exitCode = 1;
} finally {
  await sql.end();
  await environment.close();
  await rm(folder, { recursive: true });
}

/**
 * `npm run capacity`: estimates the hosts, processor cores and memory that a number of students needs, and
 * simulates how clients reconnect their sockets after an application host has failed. Arguments are numbers
 * of students and changed assumptions: `npm run capacity -- 50000 500000 coresPerHost=16 onlineShare=0.3`.
 */
import { type CapacityAssumptions, defaultAssumptions } from './capacity/assumptions.ts';
import { estimateCapacity, estimateReconnectRate } from './capacity/load.ts';
import { simulateReconnectStorm } from './capacity/reconnect-storm.ts';

const args = process.argv.slice(2);

const readAssumption = (arg: string): [string, number] => {
  const [name = '', value] = arg.split('=');
  const number = Number(value);
  if (typeof defaultAssumptions[name as keyof CapacityAssumptions] !== 'number' || !Number.isFinite(number)) {
    const names = Object.entries(defaultAssumptions).filter(([, known]) => typeof known === 'number');
    process.stderr.write(
      `${arg}: expected one of ${names.map(([known]) => known).join(', ')} with a number\n`,
    );
    process.exit(1);
  }
  return [name, number];
};

const assumed: CapacityAssumptions = {
  ...defaultAssumptions,
  ...Object.fromEntries(args.filter((arg) => arg.includes('=')).map(readAssumption)),
};
const given = args.filter((arg) => /^\d+$/.test(arg)).map(Number);
const sizes = given.length > 0 ? given : [50_000, 500_000, 5_000_000];

const printRow = (what: string, cells: (number | string)[]): void =>
  void process.stdout.write(`| ${[what, ...cells].join(' | ')} |\n`);
const round = (value: number, digits = 0): string =>
  !Number.isFinite(value)
    ? 'never'
    : value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

const columns = sizes.map((students) => {
  const estimate = estimateCapacity(students, assumed);
  const lostSockets = estimate.sockets / estimate.hosts;
  const attemptsPerSecond = estimateReconnectRate(estimate, estimate.hosts - 1, assumed);
  const storm = simulateReconnectStorm({ clients: lostSockets, attemptsPerSecond }, assumed);
  const clients = estimate.sockets / assumed.proxies;
  const proxyStorm = simulateReconnectStorm({ clients, attemptsPerSecond }, assumed);
  return { estimate, lostSockets, attemptsPerSecond, storm, proxyStorm };
});
type Column = (typeof columns)[number];
const rows: [string, (column: Column) => string][] = [
  ['pages a second', ({ estimate }) => round(estimate.pagesPerSecond)],
  ['lists and details a second', ({ estimate }) => round(estimate.readsPerSecond)],
  ['messages a second', ({ estimate }) => round(estimate.messagesPerSecond)],
  ['sockets', ({ estimate }) => round(estimate.sockets)],
  ['cores of serving processes, fully used', ({ estimate }) => round(estimate.processCores, 2)],
  [
    `cores of the primary, fully used (it has ${assumed.databaseHostCores})`,
    ({ estimate }) => round(estimate.databaseCores, 2),
  ],
  [
    `application hosts of ${assumed.coresPerHost} cores, ${assumed.spareHosts} of them spare`,
    ({ estimate }) => round(estimate.hosts),
  ],
  ['use of their processors', ({ estimate }) => `${round(estimate.hostUtilization * 100)} %`],
  ['memory for the sockets of one host, MB', ({ estimate }) => round(estimate.socketMegabytesPerHost)],
  ['connections to PostgreSQL', ({ estimate }) => round(estimate.databaseConnections)],
  ['sockets that can be reopened a second', ({ attemptsPerSecond }) => round(attemptsPerSecond)],
  ['one host is lost: sockets that reconnect', ({ lostSockets }) => round(lostSockets)],
  [
    'half / 95 % / all back after, s',
    ({ storm }) =>
      [storm.halfBackSeconds, storm.mostBackSeconds, storm.allBackSeconds]
        .map((each) => round(each, 1))
        .join(' / '),
  ],
  [
    `one of ${assumed.proxies} proxies is lost: half / 95 % / all back after, s`,
    ({ proxyStorm }) =>
      [proxyStorm.halfBackSeconds, proxyStorm.mostBackSeconds, proxyStorm.allBackSeconds]
        .map((each) => round(each, 1))
        .join(' / '),
  ],
  [
    'attempts of clients that had given up',
    ({ proxyStorm }) => (Number.isFinite(proxyStorm.allBackSeconds) ? round(proxyStorm.wastedAttempts) : ''),
  ],
];
printRow(
  'students',
  sizes.map((size) => round(size)),
);
printRow(
  '---',
  sizes.map(() => '---'),
);
for (const [what, show] of rows) printRow(what, columns.map(show));

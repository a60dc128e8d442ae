/**
 * `npm run drill:restore`: starts a cluster, makes a backup with pgBackRest, writes messages, drops the table
 * that contains them, and restores the database to the second before, as docs/operations.md describes. Fails
 * unless the database then contains exactly the messages that existed at that time, and the cluster serves
 * requests again.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { MessageList } from '#contract/conversations.ts';
import { createTestConversations } from '../chaos/test-conversations.ts';
import { callApi, postConversationMessage } from '../support/students.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { waitForValue } from './machine-process.ts';
import { findClusterProblem, installClusterPackages } from './programs.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const programs = '/usr/lib/postgresql/15/bin';
const messageCount = 20;
const recoveryTimeoutMs = 120_000;

/**
 * Stops the database on all machines, restores it on one machine to its state at `instant`, and makes the
 * other machines copies of this one.
 */
const restoreTo = async (cluster: Cluster, instant: string): Promise<void> => {
  const { primary, standby } = await cluster.healthy();
  for (const machine of cluster.databases) if (machine !== primary) await machine.stopPatroni();
  await primary.stopPatroni();
  // Restores on the standby, to show that the restore does not depend on the machine that was the primary.
  const target = ['--type=time', `--target=${instant}`, '--target-action=promote'];
  await standby.run(['pgbackrest', '--stanza=quad', '--delta', ...target, 'restore']);
  const data = join(standby.folder, 'data');
  // The restored settings contain a folder of the machine that was backed up, so override it. On real
  // machines this folder has the same path everywhere.
  const ownFolder = ['-o', `-c unix_socket_directories=${standby.folder}/run`];
  const log = ['-l', `${standby.folder}/recovery.log`];
  await standby.run([`${programs}/pg_ctl`, '-D', data, '-w', ...ownFolder, ...log, 'start']);
  await waitForValue(
    'the end of the recovery',
    async () => (await standby.findState())?.isPrimary || undefined,
    recoveryTimeoutMs,
  );
  await standby.run([`${programs}/pg_ctl`, '-D', data, '-w', '-m', 'fast', 'stop']);
  const etcd = ['--endpoints', 'http://db1:2379', 'rm', '-r', '/service/quad'];
  await cluster.network.run('store1', ['etcdctl', ...etcd], { ...process.env, ETCDCTL_API: '2' });
  standby.startPatroni();
  await waitForValue('a primary', cluster.findPrimary, recoveryTimeoutMs);
  for (const machine of cluster.databases) {
    if (machine === standby) continue;
    rmSync(join(machine.folder, 'data'), { recursive: true });
    machine.startPatroni();
  }
  await cluster.healthy(recoveryTimeoutMs);
};

const runDrill = async (cluster: Cluster): Promise<void> => {
  const { primary } = await cluster.healthy();
  let begun = performance.now();
  const sayTime = (what: string): void => {
    say(`${what}: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
    begun = performance.now();
  };
  await primary.run(['pgbackrest', '--stanza=quad', 'check']);
  await primary.run(['pgbackrest', '--stanza=quad', '--type=full', 'backup']);
  sayTime('check and full backup');

  const [talk] = await createTestConversations(cluster, 1);
  if (!talk) throw new Error('There is no conversation');
  const conversation = { id: talk.conversationId };
  const write = async (): Promise<void> => {
    for (let number = 1; number <= messageCount; number += 1)
      await postConversationMessage(
        cluster,
        talk.parties[number % 2 === 0 ? 0 : 1],
        conversation,
        `Message ${number}`,
      );
  };
  const listTexts = async (): Promise<string> => {
    const path = `/rest/v1/conversations/${conversation.id}/messages?after_seq=0&limit=500`;
    const { items } = await callApi<MessageList>(cluster, path, { token: talk.parties[0].token });
    return items.map(({ seq, message_text }) => `${seq} ${message_text}`).join('\n');
  };
  await write();
  const expected = await listTexts();
  const sql = primary.open('quad');
  await delay(1_000);
  const [{ instant }] = await sql<[{ instant: string }]>`SELECT clock_timestamp()::text AS instant`;
  await delay(1_000);
  await sql`DROP TABLE public.messages CASCADE`;
  await sql.end();
  const lost = await listTexts().catch((error: Error) => error.message);
  if (lost === expected) throw new Error('The messages are still there');
  say(`Dropped the table messages; restoring to ${instant}`);

  begun = performance.now();
  await Promise.all(cluster.apps.map((host) => host.stop()));
  await restoreTo(cluster, instant);
  sayTime('restore, recovery and two new standbys');
  for (const host of cluster.apps) await host.start();
  sayTime('start of both application hosts');
  const found = await listTexts();
  if (found !== expected) throw new Error(`Found:\n${found}\nExpected:\n${expected}`);
  await postConversationMessage(cluster, talk.parties[0], conversation, 'Everything is back');
  say(`All ${messageCount} messages are back, and new ones are stored.`);
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
try {
  installClusterPackages(say);
  const problem = findClusterProblem();
  if (problem) throw new Error(problem);
  const settings = { QUAD_DEMO: 'off', QUAD_RATE_LIMITS: 'off', NODE_ENV: 'test' };
  const cluster = await startCluster({ port: Number(process.env.PORT ?? 3000), settings, say });
  await runDrill(cluster);
  process.exit(0);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}

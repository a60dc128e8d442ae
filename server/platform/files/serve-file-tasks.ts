import { getPriority, setPriority } from 'node:os';
import type { NumberedMessage } from './file-process.ts';

/**
 * Performs the tasks that `createFileProcess` sends to this process, which may crash or be killed at any moment. If
 * `work` throws, the task is refused as `failed`.
 */
export const serveFileTasks = <Task, Result>(work: (task: Task) => Promise<Result>): void => {
  // Keep the priority inherited from the server if it is lower than NICENESS asks for, because only
  // root may raise a priority.
  setPriority(Math.max(getPriority(), Number(process.env.NICENESS)));
  // Ctrl-C in a terminal signals the whole process group. This process ignores it, because its parent decides when it
  // ends.
  process.on('SIGINT', () => {});
  process.on('disconnect', () => process.exit());
  process.on('message', async ({ id, content }: NumberedMessage<Task>) => {
    const result = await work(content).catch(() => ({ refused: 'failed' as const }));
    const reply: NumberedMessage<Result | { refused: 'failed' }> = { id, content: result };
    process.send?.(reply);
  });
};

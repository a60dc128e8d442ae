import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { createPdf } from '#server/testing/resumes.ts';
import { createResumeChecker, type ResumeChecker } from './resume-check.ts';
import { receiveResume } from './resumes.ts';

let folder: string;
let checker: ResumeChecker;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quad-resumes-'));
});
afterEach(() => {
  vi.useRealTimers();
  checker?.close();
});
afterAll(() => rm(folder, { recursive: true }));

describe('the process that checks resumes', () => {
  test('is replaced when a file takes longer than the time limit', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    checker = createResumeChecker();
    const task = { path: join(folder, 'cv.pdf'), ending: '.pdf' } as const;
    await writeFile(task.path, createPdf());
    expect(await checker.process(task)).toEqual({ isValid: true });
    const first = checker.pid() ?? 0;
    // A paused process takes longer than any limit.
    process.kill(first, 'SIGSTOP');
    const checks = [checker.process(task), checker.process(task)];
    vi.advanceTimersByTime(30_000);
    expect(await Promise.all(checks)).toEqual([{ refused: 'timed_out' }, { isValid: true }]);
    expect(checker.pid()).not.toBe(first);
  });

  test('checks other files after it was killed', async () => {
    checker = createResumeChecker();
    const task = { path: join(folder, 'cv.pdf'), ending: '.pdf' } as const;
    await writeFile(task.path, createPdf());
    await checker.process(task);
    process.kill(checker.pid() ?? 0, 'SIGSTOP');
    const check = checker.process(task);
    process.kill(checker.pid() ?? 0, 'SIGKILL');
    expect(await check).toEqual({ refused: 'failed' });
    expect(await checker.process(task)).toEqual({ isValid: true });
  });

  test('reports a file that cannot be read', async () => {
    checker = createResumeChecker();
    expect(await checker.process({ path: join(folder, 'missing.pdf'), ending: '.pdf' })).toEqual({
      refused: 'failed',
    });
  });
});

describe('a resume that was not checked', () => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await startTestApp();
  });
  afterAll(() => testApp.close());

  test.each([
    ['timed_out', { code: 'resume_type', fields: { resume: 'Only PDF, DOC, and DOCX files are allowed' } }],
    ['failed', { code: 'unavailable' }],
    ['busy', { code: 'unavailable' }],
  ] as const)('is refused when the check is %s, and leaves no file', async (refused, problem) => {
    const app = {
      ...testApp.app,
      resumeChecker: { ...testApp.app.resumeChecker, process: async () => ({ refused }) },
    };
    const upload = {
      filename: 'cv.pdf',
      content: Readable.from([createPdf()]),
      signal: new AbortController().signal,
    };
    await expect(receiveResume(app, upload)).rejects.toMatchObject(problem);
    expect(await readdir(join(testApp.dataDir, 'uploads'))).toEqual([]);
  });
});

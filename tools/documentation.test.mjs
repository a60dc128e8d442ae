import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path) => readFileSync(join(root, path), 'utf8');
const pages = [
  ...globSync('*.md', { cwd: root }),
  ...globSync('{docs,demo,web}/**/*.md', { cwd: root }),
].sort();

/** Returns the anchors that GitHub gives the headings of a page. */
const listAnchors = (text) =>
  [...text.replaceAll(/^```.*?^```/gms, '').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** Returns the links of a page to files of the project: their paths from the root, with anchors. */
const listLinks = (page) =>
  [...read(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path, anchor] = target.split('#');
      const file = path === '' ? page : relative(root, resolve(root, dirname(page), path));
      return { file, anchor };
    });

test('every link in the documentation leads to a file and a heading that exist', () => {
  const broken = pages.flatMap((page) =>
    listLinks(page)
      .filter(
        ({ file, anchor }) =>
          !existsSync(join(root, file)) ||
          (anchor !== undefined && !listAnchors(read(file)).includes(anchor)),
      )
      .map(({ file, anchor }) => `${page}: ${file}${anchor === undefined ? '' : `#${anchor}`}`),
  );
  expect(broken).toEqual([]);
});

test('every page of docs/ can be reached from docs/README.md', () => {
  const reached = new Set(['docs/README.md']);
  for (const page of reached)
    if (page.endsWith('.md') && page.startsWith('docs/'))
      for (const { file } of listLinks(page)) reached.add(file);
  const all = globSync('docs/**/*.{md,sql}', { cwd: root });
  expect(all.filter((page) => !reached.has(page))).toEqual([]);
});

test('docs/jobs.md explains every job, and names no job that does not exist', () => {
  const [, generated, explained] = read('docs/jobs.md').split(/<!-- (?:end of )?generated: jobs -->/);
  const names = [...generated.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(30);
  expect(names.filter((name) => !explained.includes(`\`${name}\``))).toEqual([]);
  const named = [...explained.matchAll(/`([a-z]+(?:-[a-z]+)+)`/g)].map(([, name]) => name);
  expect(named.filter((name) => !names.includes(name))).toEqual([]);
});

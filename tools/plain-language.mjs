/**
 * Reports terms in tracked text files for which CONTRIBUTING.md requires a standard term. Each pattern
 * contains a character class, so that this file does not match the patterns itself.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Pairs of a pattern and the standard term to use instead. */
const privateTermReplacements = [
  [/\b(im)?patien[c]e|\b[P]atience/, 'timeout'],
  [/\ban[e]w\b/, 'again'],
  [/\bso (m[a]ny|m[u]ch|l[o]ng) (as|are|is|were|bytes|requests|seconds|times|places|of)\b/, 'N, up to N'],
  [/\bseld[o]m/, 'rare, rarely'],
  [/\bm[e]nd(s|ed|ing)?\b/i, 'fix'],
  [/\bin v[a]in\b/, 'without success'],
  [/(^|\* |\/\/ )Answ[e]rs?\b/, 'Returns'],
  [/(^|\* |\/\/ )Wh[o](ever)? (?![^.]*\?)[a-z]+/, 'the caller, the process that …'],
  [/\bt[e]lls? of\b|\bt[o]ld of\b/, 'reports, notifies'],
  [/\bk[e]pt[- ]?(page|address|under|threads)|\bk[e]pt(Page|Address|Under|Threads)/, 'cached'],
  [/\bp[o]stman\b/, 'mail worker'],
  [/\bd[e]af\b/, 'disconnected'],
  [/\bthe (one|run|text) b[e]fore\b/, 'the previous …'],
];
const textFilePattern = /\.(tsx?|mjs|sql|md|ya?ml)$/;

/**
 * Returns the terms in a text that a standard term must replace, each as "line: matching text →
 * standard term".
 */
export const listNonstandardTerms = (text) =>
  text.split('\n').flatMap((line, index) =>
    privateTermReplacements.flatMap(([pattern, term]) => {
      const [found] = pattern.exec(line) ?? [];
      return found === undefined ? [] : [`${index + 1}: ${found.trim()} → ${term}`];
    }),
  );

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');
  const found = files
    .filter((file) => textFilePattern.test(file) && existsSync(`${root}${file}`))
    .flatMap((file) =>
      listNonstandardTerms(readFileSync(`${root}${file}`, 'utf8')).map((it) => `${file}:${it}`),
    );
  for (const line of found) process.stdout.write(`${line}\n`);
  process.exitCode = found.length === 0 ? 0 : 1;
}

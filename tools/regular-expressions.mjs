/**
 * Checks that every regular expression of production code takes time proportional to the length of the text, because a
 * single request could block the server with one that does not.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import recheck from 'recheck/lib/browser.js';
import { parseSync, Visitor } from 'vite';
import { projectRoot } from './setup/project.mjs';

/**
 * A comment in the line above an expression exempts it and states the reason, such as: Superlinear, but only for
 * the configuration.
 */
const exemption = /\/\/ Superlinear, but \w/;

/** Computes the text of a constant expression, or the pattern of a regular expression. Throws for any other code. */
const evaluate = (node, constants) => {
  const evaluateTemplate = ({ quasis, expressions }, kind) =>
    quasis
      .flatMap(({ value }, index) => [
        value[kind],
        index in expressions && evaluate(expressions[index], constants),
      ])
      .filter(Boolean)
      .join('');
  if (node?.type === 'Literal') return node.regex?.pattern ?? String(node.value);
  if (node?.type === 'TemplateLiteral') return evaluateTemplate(node, 'cooked');
  if (node?.type === 'TaggedTemplateExpression') return evaluateTemplate(node.quasi, 'raw');
  if (node?.type === 'Identifier') return evaluate(constants.get(node.name), constants);
  if (node?.type === 'ArrayExpression') return node.elements.map((it) => evaluate(it, constants)).join('');
  // The only method call that is supported joins the elements of an array.
  if (node?.type === 'CallExpression' && node.callee.property?.name === 'join')
    return evaluate(node.callee.object, constants);
  throw new Error('cannot be checked, because it is not composed of constants of this file');
};

/** Returns the regular expressions of a source file with their lines, or the reason why one cannot be checked. */
const listRegularExpressions = (file, text) => {
  const found = [];
  const constants = new Map();
  const report = (node, expression) =>
    found.push({ line: text.slice(0, node.start).split('\n').length, ...expression });
  const visitConstruction = (node) => {
    if (node.callee.name !== 'RegExp') return;
    try {
      const [pattern, flags] = node.arguments;
      report(node, {
        pattern: evaluate(pattern, constants),
        flags: flags ? evaluate(flags, constants) : '',
      });
    } catch (error) {
      report(node, { problem: error.message });
    }
  };
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  new Visitor({
    VariableDeclarator: ({ id, init }) => constants.set(id.name, init),
  }).visit(program);
  new Visitor({
    Literal: (node) => node.regex && report(node, node.regex),
    NewExpression: visitConstruction,
    CallExpression: visitConstruction,
  }).visit(program);
  return found;
};

/** Limits in steps instead of milliseconds, so that the result does not depend on how busy the machine is. */
const analysisLimits = {
  timeout: null,
  seedingTimeout: null,
  incubationTimeout: null,
  attackTimeout: null,
  // A linear expression takes up to 60 steps per character of an attack, a quadratic one thousands.
  attackLimit: 30_000_000,
};

/** Returns what is wrong with a regular expression, or undefined if it takes linear time. */
const findProblem = ({ pattern, flags, problem }) => {
  if (problem) return problem;
  // Without an unbounded repetition the time does not depend on the length of the text after a position.
  if (!/[*+]|,\}/.test(pattern)) return undefined;
  const { status, complexity, attack, error } = recheck.checkSync(pattern, flags, analysisLimits);
  if (status === 'safe') return undefined;
  if (status === 'unknown') return `cannot be checked: ${error.kind} ${error.message ?? ''}`;
  return `${complexity.summary}, for example with ${attack.pattern}`;
};

const isExempt = (text, line) => exemption.test(text.split('\n')[line - 2] ?? '');

/** Returns the problems of all regular expressions of a source file, as lines of text. */
export const listProblems = (file, text) =>
  listRegularExpressions(file, text).flatMap((expression) => {
    const problem = isExempt(text, expression.line) ? undefined : findProblem(expression);
    const { line, pattern, flags } = expression;
    if (!problem) return [];
    return [`${file}:${line}: ${pattern === undefined ? '' : `/${pattern}/${flags} `}${problem}`];
  });

const checkProductionCode = () => {
  const files = globSync('{contract,server,web}/**/*.{ts,tsx}', { cwd: projectRoot }).filter(
    (file) => !/\.test\.tsx?$|^(server|web)\/testing\//.test(file),
  );
  const problems = files.flatMap((file) => listProblems(file, readFileSync(join(projectRoot, file), 'utf8')));
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) checkProductionCode();

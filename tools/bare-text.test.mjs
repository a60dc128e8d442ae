import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'vite';
import { expect, test } from 'vitest';

// A browser that translates a page replaces its text nodes by elements, while React still refers to the nodes. React
// copes if a text is the only child of its element. It fails to insert or remove something beside a bare text, or a bare
// text itself, and it changes a bare text without effect.

const root = fileURLToPath(new URL('..', import.meta.url));

const isBlank = ({ type, value, expression }) =>
  type === 'JSXText' ? /^\s*\n\s*$/.test(value) : expression?.type === 'JSXEmptyExpression';

/** Returns what an expression among the children of an element may render: text, an element, nothing, or something unknown. */
const listResults = (node) => {
  switch (node.type) {
    case 'JSXElement':
      return ['element'];
    case 'JSXFragment':
      return node.children.filter((child) => !isBlank(child)).flatMap(listResults);
    case 'JSXText':
    case 'TemplateLiteral':
      return ['text'];
    case 'Literal':
      return [typeof node.value === 'string' || typeof node.value === 'number' ? 'text' : 'nothing'];
    case 'JSXExpressionContainer':
    case 'ParenthesizedExpression':
      return listResults(node.expression);
    case 'ConditionalExpression':
      return [...listResults(node.consequent), ...listResults(node.alternate)];
    case 'LogicalExpression':
      return [...(node.operator === '&&' ? ['nothing'] : listResults(node.left)), ...listResults(node.right)];
    default:
      return ['unknown'];
  }
};

/** Returns the lines of the elements that have text among several children of which one is an expression. */
const listBareTexts = (file, source) => {
  const lines = [];
  const check = ({ start, children }) => {
    const shown = children.filter((child) => !isBlank(child));
    if (shown.length < 2 || !shown.some((child) => listResults(child).includes('text'))) return;
    if (
      shown.some((child) => listResults(child).some((result) => result === 'unknown' || result === 'nothing'))
    )
      lines.push(`${file}:${source.slice(0, start).split('\n').length}`);
  };
  new Visitor({ JSXElement: check, JSXFragment: check }).visit(parseSync(file, source).program);
  return lines;
};

test.each([
  '<p>{isOpen && <b />} Text</p>',
  '<p>Hello {name}</p>',
  '<p><b />{isOpen && "text"}</p>',
  '<p><b />{isOpen && <>text</>}</p>',
])('bare text is found in %s', (source) => {
  expect(listBareTexts('a.tsx', `const a = ${source};`)).toEqual(['a.tsx:1']);
});

test.each(['<p>Text <b /> text</p>', '<p>{`Hello`}</p>', '<p>{isOpen && <b />}<span>Text</span></p>'])(
  'no bare text is found in %s',
  (source) => {
    expect(listBareTexts('a.tsx', `const a = ${source};`)).toEqual([]);
  },
);

test('every text that has siblings which may change has an element of its own', () => {
  const files = globSync('web/**/*.tsx', { cwd: root }).filter(
    (file) => !/\.test\.tsx$|^web\/testing\//.test(file),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap((file) => listBareTexts(file, readFileSync(`${root}${file}`, 'utf8')))).toEqual([]);
});

import type { QueryResult } from 'pg';
import type { Statement } from './connection-pool.ts';
import { type Fragment, fragment, type SqlValue } from './sql-fragments.ts';

// biome-ignore lint/suspicious/noExplicitAny: PostgreSQL returns values of any type.
type UntypedRow = Record<string, any>;
interface Counted {
  /** Number of rows that the statement returned or changed. */
  readonly count: number;
}
type UntypedRows = UntypedRow[] & Counted;

/**
 * A pool or a session, which is a template tag that runs a statement. Values in the template become parameters, except
 * fragments, which become part of the text. Repository functions take a `Queryable`, so that they work inside and
 * outside a transaction.
 */
export interface Queryable {
  <Result extends readonly object[] = UntypedRow[]>(
    parts: TemplateStringsArray,
    ...values: readonly SqlValue[]
  ): Promise<Result & Counted>;
  /**
   * Runs SQL text that is not a template, such as that of a library. Without parameters, it may consist of several
   * statements, of which the rows of the last one are returned.
   */
  query(text: string, values?: readonly unknown[]): Promise<UntypedRows>;
}

const maxStatementNames = 2_000;
const statementNames = new Map<string, string>();

/** Returns the name under which a text is prepared; undefined when there are too many texts. */
const getStatementName = (text: string): string | undefined => {
  const known = statementNames.get(text);
  if (known !== undefined || statementNames.size >= maxStatementNames) return known;
  const name = `s${statementNames.size}`;
  statementNames.set(text, name);
  return name;
};

/** PostgreSQL would otherwise have to infer the type of a parameter, and take `$1 - interval '1 day'` for an interval. */
const getTypeCast = (value: unknown): string => {
  if (value instanceof Date) return '::timestamptz';
  return typeof value === 'boolean' ? '::boolean' : '';
};

const toParameter = (value: unknown): unknown => {
  if (value === undefined) throw new TypeError('A parameter of a statement is undefined');
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? value.map(toParameter) : value;
};

const toStatement = ({ strings, values }: Fragment): Statement => {
  let text = strings[0] ?? '';
  for (const [index, value] of values.entries())
    text += `$${index + 1}${getTypeCast(value)}${strings[index + 1]}`;
  return { text, values: values.map(toParameter) };
};

/** Returns the rows of a result, or of the last one of several statements. */
const toRows = (results: QueryResult | QueryResult[]): UntypedRows => {
  const result = Array.isArray(results) ? results.at(-1) : results;
  const rows: UntypedRow[] = result?.rows ?? [];
  return Object.defineProperty(rows, 'count', { value: result?.rowCount ?? 0 }) as UntypedRows;
};

/** Runs a statement on a connection. */
export type Run = (statement: Statement) => Promise<QueryResult>;

/** Returns a template tag that runs statements by `run`, with further members. `prepare` tells whether they are prepared. */
export const createQueryable = <Members extends object>(run: Run, prepare: boolean, members: Members) => {
  const runTemplate = async (parts: TemplateStringsArray, ...values: readonly SqlValue[]) => {
    const { text, values: parameters } = toStatement(fragment(parts, ...values));
    return toRows(
      await run({ text, values: parameters, name: prepare ? getStatementName(text) : undefined }),
    );
  };
  const query = async (text: string, values: readonly unknown[] = []) => {
    const name = prepare && values.length > 0 ? getStatementName(text) : undefined;
    return toRows(await run({ text, values: values.map(toParameter), name }));
  };
  return Object.assign(runTemplate as Queryable, { query, ...members });
};

import { z } from 'zod';
import type { Campus } from '../campus.ts';
import type { ConsoleRole } from '../console.ts';
import type { ErrorCode } from '../errors.ts';
import type { RateLimitName } from '../limits.ts';
import { idSchema } from '../text.ts';

/**
 * Declaration of an API call. The server's route, the browser's client and the documentation are
 * derived from it.
 */
export interface CallDeclaration {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path of the call, in which {name} stands for a path parameter. */
  path: string;
  summary: string;
  /**
   * The callers that may use this call: `anyone` (a session is ignored), `either` (a session is optional),
   * `user` (a session is required), `moderator` (a session of a moderator or administrator is required) or
   * `administrator` (a session of an administrator is required). For the last two, the person must also have
   * entered a second factor in this session.
   */
  access: 'anyone' | 'either' | 'user' | ConsoleRole;
  params?: z.ZodType;
  query?: z.ZodType;
  /**
   * The schema of the request body, or a function that returns the schema for a campus and the current date
   * there (YYYY-MM-DD).
   */
  body?: z.ZodType | ((today: string, campus: Campus) => z.ZodType);
  /** The maximum size of the request body in bytes, when it is larger than that of other calls. */
  maxBodyBytes?: number;
  output: z.ZodType;
  /**
   * For a call that returns a file: the file's media type and name. The output is then a string, the content
   * of the file. Without `file`, the response is the output as JSON.
   */
  file?: { type: string; name: string };
  /**
   * The code of the error that the call returns when the resource in the path does not exist or a path
   * parameter is invalid.
   */
  notFound?: ErrorCode;
  /**
   * Further errors that this call can return, besides `notFound` and the errors common to all
   * calls.
   */
  errors: readonly ErrorCode[];
  limit?: RateLimitName;
  /**
   * Rate limits that the accounts service applies instead of the route. Only the service can recognize
   * devices known to the account, which are exempt.
   */
  accountLimits?: readonly RateLimitName[];
}

/** Returns the codes of all errors that a call declares, `notFound` first. */
export const listDeclaredErrors = ({ notFound, errors }: CallDeclaration): readonly ErrorCode[] =>
  notFound === undefined ? errors : [notFound, ...errors];

/** Returns the declaration unchanged. TypeScript thereby checks it and keeps its literal types. */
export const declareCall = <const Shape extends CallDeclaration>(shape: Shape): Shape => shape;

type ResolvedSchema<T> = T extends (today: string, campus: Campus) => infer Schema ? Schema : T;
type SchemaInput<T> = ResolvedSchema<T> extends z.ZodType ? z.input<ResolvedSchema<T>> : undefined;
type SchemaOutput<T> = ResolvedSchema<T> extends z.ZodType ? z.output<ResolvedSchema<T>> : undefined;

/** The parameters, query and body of a request as the caller passes them, before validation. */
export type CallInput<C extends CallDeclaration> = {
  [Part in 'params' | 'query' | 'body' as C extends Record<Part, unknown> ? Part : never]: SchemaInput<
    C[Part]
  >;
};
/**
 * The parameters, query and body of a request as the handler receives them, validated and transformed by the
 * schemas.
 */
export type ParsedCallInput<C extends CallDeclaration> = {
  params: SchemaOutput<C['params']>;
  query: SchemaOutput<C['query']>;
  body: SchemaOutput<C['body']>;
};
export type CallOutput<C extends CallDeclaration> = z.output<C['output']>;

/** The path parameters of a call whose path contains {id}. */
export const idParamsSchema = z.object({ id: idSchema });

/** Returns the schema of a response that contains a complete list, without paging. */
export const createItemListSchema = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item) });

import { allCalls } from '#contract/all-calls.ts';
import { type CallDeclaration, listDeclaredErrors } from '#contract/calls/declare-call.ts';
import { defaultCampus } from '#contract/campus.ts';
import { type ErrorCode, errorCatalog, formatErrorMessage } from '#contract/errors.ts';

const generatedNotice = 'Made from `contract/` by `npm run generate`; do not edit.';

const createCallRows = () =>
  Object.entries(allCalls as Record<string, CallDeclaration>).map(([name, call]) => {
    const limit = [...(call.limit ? [call.limit] : []), ...(call.accountLimits ?? [])]
      .map((name) => `\`${name}\``)
      .join(', ');
    const errors = listDeclaredErrors(call)
      .map((code) => `\`${code}\``)
      .join(', ');
    return `| \`${call.method} ${call.path}\` | ${name} | ${call.access} | ${limit} | ${errors} | ${call.summary} |`;
  });

const createErrorRows = () =>
  (Object.keys(errorCatalog) as ErrorCode[]).map(
    (code) => `| \`${code}\` | ${errorCatalog[code].status} | ${formatErrorMessage(code, defaultCampus)} |`,
  );

/** Generates docs/calls.md: all API calls and errors. */
export const generate = () => {
  const content = [
    '# Calls and errors',
    generatedNotice,
    'A running server documents the bodies and answers at `/docs`. `/auth/v1` (the GoTrue dialect), `/storage/v1` (files) and `/realtime/v1` (Phoenix channels) are described in [architecture.md](architecture.md). `POST /rest/v1/forms/application` takes an application as multipart: `opening`, `name`, `email`, `client_id` (optional; the same one again changes nothing) and, if there is one, the file `resume`.',
    '## Calls',
    'What the limits allow stands in [operations.md](operations.md#limits).',
    [
      '| call | name | who | limit | refusals of its own | what |',
      '|---|---|---|---|---|---|',
      ...createCallRows(),
    ].join('\n'),
    '## Errors',
    'Every refusal outside `/auth/v1` is `{ "error": sentence, "code": code, "fields"?: { name: sentence } }`.',
    ['| code | status | sentence |', '|---|---|---|', ...createErrorRows()].join('\n'),
  ].join('\n\n');
  return [{ path: 'docs/calls.md', content: `${content}\n` }];
};

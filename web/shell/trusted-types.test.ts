import { expect, test } from 'vitest';
import { returningVisitorScript } from './returning-visitor.ts';
import { themeScript } from './theme.ts';
import { trustedTypesScript } from './trusted-types.ts';

test('the policy allows React to insert the head script and refuses other markup', () => {
  let rules: { createHTML(text: string): string | null } | undefined;
  const trustedTypes = {
    createPolicy: (_name: string, policyRules: typeof rules) => {
      rules = policyRules;
    },
  };
  new Function('self', 'trustedTypes', '__zod_globalConfig', trustedTypesScript)(
    { trustedTypes },
    trustedTypes,
    undefined,
  );
  const text = trustedTypesScript + themeScript + returningVisitorScript;
  expect(rules?.createHTML(text)).toBe(text);
  expect(rules?.createHTML('<script></script>')).toBe('<script></script>');
  expect(rules?.createHTML('<img src=x onerror=steal()>')).toBeNull();
});

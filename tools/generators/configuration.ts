import { z } from 'zod';
import { environmentSchema } from '#server/settings.ts';
import { replaceSection } from '../generating/section.ts';

interface SchemaProperty {
  description?: string;
  default?: unknown;
  enum?: string[];
}

/** Generates the table of environment variables in docs/operations.md from the configuration schema. */
export const generate = () => {
  const { properties } = z.toJSONSchema(environmentSchema, { io: 'input', unrepresentable: 'any' }) as {
    properties: Record<string, SchemaProperty>;
  };
  const rows = Object.entries(properties).map(([name, property]) => {
    const fallback = property.default === undefined ? '' : `\`${property.default}\``;
    const choices = property.enum
      ? ` One of ${property.enum.map((choice) => `\`${choice}\``).join(', ')}.`
      : '';
    return `| \`${name}\` | ${fallback} | ${property.description ?? ''}${choices} |`;
  });
  const table = ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n');
  return [replaceSection('docs/operations.md', 'configuration', table)];
};

import { type DealTransition, dealTransitions } from '#contract/deal-transitions.ts';
import { replaceSection } from '../generating/section.ts';

const actorNames: Record<DealTransition['by'], string> = {
  buyer: 'buyer',
  seller: 'seller',
  either: 'either party',
  answerer: 'the party whose turn it is',
  proposer: 'the party that offered',
  other_proposer: 'the party that did not suggest the handover',
  reported: 'the party that was reported',
  clock: 'the clock',
  server: 'the server',
  administrator: 'an administrator',
};

const rows: readonly DealTransition[] = dealTransitions;

const createDiagram = (): string => {
  const arrows = rows.flatMap(({ name, from, to, rentalTo }) =>
    from.flatMap((state) =>
      [to, ...(rentalTo ? [rentalTo] : [])].map(
        (target) => `  ${state ?? '[*]'} --> ${target}: ${name}${target === rentalTo ? ' (rental)' : ''}`,
      ),
    ),
  );
  return ['```mermaid', 'stateDiagram-v2', ...new Set(arrows), '```'].join('\n');
};

const createTable = (): string => {
  const lines = rows.map(({ name, from, to, rentalTo, kinds, by, deadline, label }) =>
    [
      '',
      `\`${name}\``,
      from.map((state) => state ?? '(none)').join(', '),
      rentalTo ? `${to}; rental: ${rentalTo}` : to,
      actorNames[by],
      kinds?.join(', ') ?? 'all',
      deadline ?? '',
      label ?? '',
      '',
    ]
      .join(' | ')
      .trim(),
  );
  return [
    '| transition | from | to | by | kinds | deadline | button |',
    '|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
};

/** Generates the diagram and the table of transitions in docs/deals.md from contract/deal-transitions.ts. */
export const generate = () => [
  replaceSection('docs/deals.md', 'transitions', `${createDiagram()}\n\n${createTable()}`),
];

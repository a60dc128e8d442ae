import { expect, test } from 'vitest';
import { defaultCampus } from './campus.ts';
import { formatSuspendedUntilMessage } from './suspensions.ts';

test('the end of a suspension is written in English, in the order and with the clock of the campus', () => {
  const campus = { ...defaultCampus, locale: 'de-DE' };
  expect(formatSuspendedUntilMessage(new Date('2027-01-05T23:15:00Z'), campus)).toContain(
    'suspended until 5 January 2027 at 15:15 (USC time)',
  );
});

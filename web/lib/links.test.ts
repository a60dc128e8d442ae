import { expect, test } from 'vitest';
import { links } from './links.ts';

test.each([
  ['ada@usc.edu', 'mailto:ada@usc.edu'],
  ['ada+desk@usc.edu', 'mailto:ada%2Bdesk@usc.edu'],
  ['ada?subject=hi&cc=ben@usc.edu', 'mailto:ada%3Fsubject%3Dhi%26cc%3Dben@usc.edu'],
  ['ada,ben"%@usc.edu', 'mailto:ada%2Cben%22%25@usc.edu'],
])('the link that writes to %s encodes what is before the @', (address, link) => {
  expect(links.mail(address)).toBe(link);
});

import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { TextWithTimes } from './text-with-times.tsx';

// In the expected texts, brackets enclose what does not wrap.
test.each([
  ['Ben suggested meeting at 5: Mon, Jan 5, 6:30 PM', 'Ben suggested meeting at 5: [Mon, Jan 5, 6:30 PM]'],
  ['Mon, Jan 5, 6:30 PM · Tue, Jan 6, 9:00 AM.', '[Mon, Jan 5, 6:30 PM ·] [Tue, Jan 6, 9:00 AM].'],
  ['$65 for May 12 to May 13. Otherwise 10:00 AM.', '$65 for [May 12] to [May 13]. Otherwise [10:00 AM].'],
  [
    'Ben suggested 2: Mon 5 Jan, 18:30 · Tue, 6 Sept, 9:00',
    'Ben suggested 2: [Mon 5 Jan, 18:30 ·] [Tue, 6 Sept, 9:00]',
  ],
  ['Mon, Jan 5, 18:30. 5 Marbles', '[Mon, Jan 5, 18:30]. 5 Marbles'],
  ['It may be 5 PMs, Janet 5', 'It may be 5 PMs, Janet 5'],
])('keeps the dates and times of "%s" on one line', (text, expected) => {
  const markup = renderToStaticMarkup(<TextWithTimes text={text} />);
  expect(
    markup.replaceAll(/<span class="whitespace-nowrap">(.*?)<\/span>/g, '[$1]').replaceAll(/<\/?span>/g, ''),
  ).toBe(expected);
});

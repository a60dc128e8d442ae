/** Matches dates and times such as 'Mon, Jan 5, 6:30 PM' and 'Mon 5 Jan, 18:30', with the dot that separates it from the next one. */
const dateOrTime =
  /((?:\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?(?:\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec) \d{1,2}|\b\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b)(?:, \d{1,2}:\d\d(?: [AP]M)?)?(?: ·)?|\d{1,2}:\d\d [AP]M)/;

/** A text in which a date or a time does not break across lines. */
export function TextWithTimes({ text }: { text: string }) {
  return text.split(dateOrTime).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no state
    <span key={index} className={index % 2 === 0 ? undefined : 'whitespace-nowrap'}>
      {part}
    </span>
  ));
}

const isDigit = (codePoint: number): boolean => /\p{Nd}/u.test(String.fromCodePoint(codePoint));

/** Returns a text with the digits of all scripts as "0" to "9". Unicode has the ten digits of a script in a row, 0 first. */
export const toAsciiDigits = (text: string): string =>
  text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    const codePoint = digit.codePointAt(0) ?? 0;
    let preceding = 0;
    while (isDigit(codePoint - preceding - 1)) preceding += 1;
    return String(preceding % 10);
  });
